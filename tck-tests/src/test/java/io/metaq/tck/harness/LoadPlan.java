package io.metaq.tck.harness;

/**
 * What a {@link Load} sends.
 *
 * @param firstProducer the id of the first producer; ids must not be used again for the same data
 * @param durability empty for the topic's, or an option of {@code append} with a leading space
 * @param window messages in flight for each producer
 * @param maxLength bytes of the longest body, roughly
 */
public record LoadPlan(
        int port, String topic, int partitions, long firstProducer, String durability, int window, int maxLength) {
    /** Small messages, 32 in flight, the topic's durability. */
    public static LoadPlan to(int port, String topic, int partitions) {
        return new LoadPlan(port, topic, partitions, 1000, "", WireProducer.defaultWindow(), 1000);
    }

    public LoadPlan firstProducer(long id) {
        return new LoadPlan(port, topic, partitions, id, durability, window, maxLength);
    }

    /** Bigger bodies and another number in flight. */
    public LoadPlan sized(int messagesInFlight, int bytes) {
        return new LoadPlan(port, topic, partitions, firstProducer, durability, messagesInFlight, bytes);
    }
}
