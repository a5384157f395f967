package io.metaq.protocol;

/** What must have happened to a message before its sender gets the answer. */
public enum Durability {
    /** As the topic is configured. */
    TOPIC(""),
    /** Written to the operating system: survives a crash of the broker, not of the machine. */
    OS("os"),
    /** Synced to disk: survives a power cut. */
    DISK("disk");

    private final String word;

    Durability(String word) {
        this.word = word;
    }

    /** The value of the {@code durability} option; empty for {@link #TOPIC}, which is asked for by leaving the option out. */
    public String word() {
        return word;
    }
}
