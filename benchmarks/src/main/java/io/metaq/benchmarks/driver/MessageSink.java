package io.metaq.benchmarks.driver;

/** Takes received bodies, from one thread at a time. The array is not kept. */
@FunctionalInterface
public interface MessageSink {
    void accept(byte[] body);
}
