package io.metaq.client;

/** Where to begin reading a partition. */
public sealed interface Start {

    /** The oldest message that is kept. */
    static Start first() {
        return new First();
    }

    /** The end at the moment of the first connect: only new messages. */
    static Start last() {
        return new Last();
    }

    /**
     * A byte position that is the beginning of a message, for example {@link Message#offset()} of one. A position that is gone
     * moves to the oldest message.
     */
    static Start offset(long offset) {
        return new Offset(offset);
    }

    /** The first message stored at or after this moment. Needs a 2.x broker. */
    static Start time(long epochMs) {
        return new Time(epochMs);
    }

    record First() implements Start {}

    record Last() implements Start {}

    record Offset(long offset) implements Start {
        public Offset {
            if (offset < 0) {
                throw new IllegalArgumentException("offset " + offset + " is negative");
            }
        }
    }

    record Time(long epochMs) implements Start {}
}
