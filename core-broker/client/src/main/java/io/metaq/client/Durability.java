package io.metaq.client;

/** How safe a message is to be before its send is answered. */
public enum Durability {
    /** What the topic is configured for. */
    TOPIC,
    /** Written to the operating system: survives a crash of the broker, not of the machine. */
    OS,
    /** Synced to the disk: survives a power cut. */
    DISK
}
