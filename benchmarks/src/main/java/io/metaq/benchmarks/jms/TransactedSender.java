package io.metaq.benchmarks.jms;

/** Sends in transactions. */
interface TransactedSender extends AutoCloseable {

    void begin() throws Exception;

    void send(byte[] body) throws Exception;

    /** Returns when the messages are safe and can be received. */
    void commit() throws Exception;
}
