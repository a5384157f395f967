package io.metaq.client;

/** How safe a message is to be before its send is answered. */
public enum Durability {
    /** What the topic is configured for. */
    TOPIC,
    /** Written to the operating system: survives a crash of the broker, not of the machine. */
    OS,
    /** Synced to the disk: survives a power cut. */
    DISK;

    /** The one of the two that promises more. A topic is at least as safe as the operating system, and at most as the disk. */
    Durability stronger(Durability other) {
        return rank() >= other.rank() ? this : other;
    }

    private int rank() {
        return switch (this) {
            case OS -> 0;
            case TOPIC -> 1;
            case DISK -> 2;
        };
    }
}
