package io.metaq.benchmarks.driver;

import org.jspecify.annotations.Nullable;

/** The end of one send: {@code error} is null when the message was acknowledged. */
@FunctionalInterface
public interface Completion {
    void done(@Nullable Throwable error);
}
