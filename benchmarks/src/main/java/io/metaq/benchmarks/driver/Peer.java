package io.metaq.benchmarks.driver;

/**
 * One system under load, reached through its own client library. A driver process holds one for its whole life, so that
 * its code is warm when it is measured.
 */
public interface Peer extends AutoCloseable {

    /** Makes the job's topic, with one partition and the job's durability; returns when it can be sent to. */
    void createTopic(Job job) throws Exception;

    /** Frees the disk that the job's topic holds, where the system can. */
    void deleteTopic(Job job) throws Exception;

    /** A sender for one thread, or for all threads that the system's documentation says should share one. */
    Sender openSender(Job job) throws Exception;

    /** Delivers the job's topic from its first message on, until closed. Messages may start to arrive before it returns. */
    Receiver openReceiver(Job job, MessageSink sink) throws Exception;

    @Override
    default void close() throws Exception {}
}
