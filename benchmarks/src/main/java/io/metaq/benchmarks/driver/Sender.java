package io.metaq.benchmarks.driver;

/** Sends to one topic. */
public interface Sender extends AutoCloseable {

    /** Starts to send; {@code done} is called once, from any thread, possibly before this returns. */
    void send(byte[] body, Completion done) throws Exception;

    /** Sends and waits for the answer. */
    void sendAndWait(byte[] body) throws Exception;

    @Override
    void close() throws Exception;
}
