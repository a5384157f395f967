package io.metaq.benchmarks.driver;

/** A running consumer. */
@FunctionalInterface
public interface Receiver extends AutoCloseable {
    @Override
    void close() throws Exception;
}
