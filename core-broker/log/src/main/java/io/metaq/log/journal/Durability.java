package io.metaq.log.journal;

/** What must have happened to a record before it is answered. */
public enum Durability {
    /** Written to the operating system: survives the end of the process, not that of the machine. */
    OS,
    /** On the disk: survives a power cut. */
    DISK
}
