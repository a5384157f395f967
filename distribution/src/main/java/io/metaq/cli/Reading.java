package io.metaq.cli;

import io.metaq.client.Message;

/** What both ways of consuming have in common: where messages go, and when it is enough. Used by one thread at a time. */
final class Reading {
    private final MessageWriter writer;
    private final long max;
    private final boolean follow;
    private final Runnable progress;
    private boolean outputClosed;

    Reading(MessageWriter writer, long max, boolean follow, Runnable progress) {
        this.writer = writer;
        this.max = max;
        this.follow = follow;
        this.progress = progress;
    }

    /** Whether to wait for more at the end. */
    boolean follows() {
        return follow;
    }

    /** Writes one message; false if it was not written because it is enough already. */
    boolean take(Message message) {
        if (isEnough()) {
            return false;
        }
        writer.write(message);
        progress.run();
        return true;
    }

    /** Hands on what was written; to be called when there is nothing to write at the moment. */
    void pause() {
        outputClosed |= !writer.flush();
    }

    /** Whether the wanted number is written, or nobody reads the output any more. */
    boolean isEnough() {
        return outputClosed || writer.messages() >= max;
    }
}
