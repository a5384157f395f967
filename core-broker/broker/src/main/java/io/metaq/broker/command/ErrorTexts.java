package io.metaq.broker.command;

import io.metaq.broker.store.BusyException;
import io.metaq.broker.subscription.Refused;
import io.metaq.log.file.StorageFullException;
import io.metaq.log.journal.JournalClosedException;
import io.metaq.protocol.Status;
import io.metaq.state.Refusal;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Texts and codes of what went wrong; those that 1.4 had are 1.4's to the letter. */
final class ErrorTexts {
    private final Supplier<String> serverUrl;
    private final int brokerId;

    /** @param serverUrl {@code meta://host:port} as clients know it */
    ErrorTexts(Supplier<String> serverUrl, int brokerId) {
        this.serverUrl = serverUrl;
        this.brokerId = brokerId;
    }

    String putFailed(String topic, int partition, String detail) {
        String prefix = "Put message to [broker '" + serverUrl.get() + "'] [partition '" + topic + "-" + partition
                + "'] failed.";
        return detail.isEmpty() ? prefix : prefix + "Detail:" + detail;
    }

    String publishClosed(int partition) {
        return "partition[" + brokerId + "-" + partition + "] has been closed";
    }

    String subscribeClosed(int partition) {
        return "Partition[" + brokerId + "-" + partition + "] has been closed";
    }

    static String noStore(String topic, int partition) {
        return "The topic `" + topic + "` in partition `" + partition + "` is not exists";
    }

    static String noMessage(long offset) {
        return "Could not find message at position " + offset;
    }

    static Status status(Refusal reason) {
        return switch (reason) {
            case UNKNOWN_TOPIC, UNKNOWN_PARTITION, UNKNOWN_GROUP, UNKNOWN_SUBSCRIPTION -> Status.NOT_FOUND;
            case CLOSED -> Status.FORBIDDEN;
            case EXISTS, STALE_SEQUENCE, NOT_PENDING, PREPARED -> Status.CONFLICT;
            case MEMORY_FULL -> Status.STORAGE_FULL;
            case INVALID -> Status.BAD_REQUEST;
        };
    }

    static Status status(Throwable thrown) {
        Throwable failure = cause(thrown);
        if (failure instanceof Refused refused) {
            return refused.status();
        } else if (failure instanceof StorageFullException) {
            return Status.STORAGE_FULL;
        } else if (failure instanceof BusyException) {
            return Status.BUSY;
        } else if (failure instanceof IllegalArgumentException) {
            return Status.TOO_LARGE;
        }
        return Status.FAILED;
    }

    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }

    static String text(Throwable thrown) {
        Throwable failure = cause(thrown);
        if (failure instanceof StorageFullException) {
            return "the broker's disk is full: send to another broker, or make room";
        } else if (failure instanceof JournalClosedException) {
            return "the broker is leaving service, whether the message was stored is not known: "
                    + failure.getMessage();
        }
        return String.valueOf(failure.getMessage());
    }
}
