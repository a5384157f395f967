package io.metaq.testkit.waiting;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Found by JUnit wherever this module is on the class path: waiting for a condition ends after a minute instead of ten seconds. It ends
 * a hang and judges nothing, and on a busy machine ten seconds are not long.
 */
public final class Patience implements BeforeAllCallback {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
