package io.metaq.benchmarks;

import java.io.IOException;

/** The disk that all systems share. */
final class Disk {

    private Disk() {}

    /** Writes out what earlier runs left in the page cache, so that it is not charged to the next one. */
    static void writeOut() throws InterruptedException {
        try {
            new ProcessBuilder("sync").inheritIO().start().waitFor();
        } catch (IOException noSuchCommand) {
            System.err.println("no command 'sync': runs may be disturbed by writes of earlier ones");
        }
    }
}
