package io.metaq.client;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a rejected message's place and goes on. */
final class SkipHandler implements RejectHandler {

    private static final Logger LOG = LoggerFactory.getLogger(SkipHandler.class);

    @Override
    public void reject(String group, Message message, @Nullable Throwable cause) {
        LOG.warn("group {} skips {} which failed too often", group, message, cause);
    }
}
