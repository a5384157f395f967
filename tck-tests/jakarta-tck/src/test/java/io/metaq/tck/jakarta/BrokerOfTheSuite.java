package io.metaq.tck.jakarta;

import java.lang.reflect.Field;
import java.util.List;
import javax.naming.Context;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Stands between the suite and the broker: names the broker of this process, empties it before each test, and shows what a test
 * that failed has logged, for its exception says no more than its name.
 */
public final class BrokerOfTheSuite implements BeforeEachCallback, TestExecutionExceptionHandler {
    /** Where the suite keeps what its tests log while no harness listens. */
    private static final String LOG_CLASS = "com.sun.ts.lib.util.TestUtil";

    private static final String LOG_FIELD = "vBuffereredOutput";
    private static final String TEXT_FIELD = "sOutput";

    @Override
    public void beforeEach(ExtensionContext context) {
        System.setProperty(Context.PROVIDER_URL, OneBroker.get().uri());
        OneBroker.get().clear();
        log().clear();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        System.err.println(context.getDisplayName() + " of "
                + context.getRequiredTestClass().getName() + " failed:");
        for (Object line : List.copyOf(log())) {
            System.err.println(text(line));
        }
        throw failure;
    }

    private static List<?> log() {
        try {
            Object log = field(Class.forName(LOG_CLASS), LOG_FIELD).get(null);
            return log instanceof List<?> list ? list : List.of();
        } catch (ReflectiveOperationException e) {
            return List.of(); // a version of the suite that logs in another way: its tests count all the same
        }
    }

    private static @Nullable Object text(Object line) throws ReflectiveOperationException {
        return field(line.getClass(), TEXT_FIELD).get(line);
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
