package io.metaq.protocol;

/**
 * Where a message went: the body of a successful put or append.
 *
 * @param messageId id of the (first) message; the ids of a batch are consecutive
 * @param offset byte position of the first message's header in the partition, -1 inside a transaction
 */
public record Stored(long messageId, int partition, long offset) {
    /**
     * Reads the three tokens {@code MSGID PARTITION OFFSET}.
     *
     * @throws ProtocolException if the text is something else
     */
    public static Stored parse(String text) {
        String[] tokens = text.split(" ", -1);
        if (tokens.length != 3) {
            throw notStored(text);
        }
        try {
            return new Stored(Long.parseLong(tokens[0]), Integer.parseInt(tokens[1]), Long.parseLong(tokens[2]));
        } catch (NumberFormatException e) {
            throw notStored(text);
        }
    }

    private static ProtocolException notStored(String text) {
        return new ProtocolException(
                Status.FAILED, "expected 'MSGID PARTITION OFFSET' from the broker, got '" + text + "'");
    }

    @Override
    public String toString() {
        return messageId + " " + partition + " " + offset;
    }
}
