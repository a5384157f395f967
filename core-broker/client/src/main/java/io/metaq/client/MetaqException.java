package io.metaq.client;

import org.jspecify.annotations.Nullable;

/**
 * Something that was asked of a broker did not happen. The message names the server, the partition, the code and what to do.
 * Subclasses say which kind it is.
 */
public class MetaqException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable BrokerAddress server;
    private final transient @Nullable TopicPartition partition;
    private final int code;
    private final boolean retriable;
    private final boolean outcomeUnknown;

    /** A failure that no broker answered: code 0, not retriable. */
    public MetaqException(String message, @Nullable Throwable cause) {
        this(new Failure(message, null, null, 0, false, false), cause);
    }

    MetaqException(Failure failure, @Nullable Throwable cause) {
        super(failure.text(), cause);
        this.server = failure.server();
        this.partition = failure.partition();
        this.code = failure.code();
        this.retriable = failure.retriable();
        this.outcomeUnknown = failure.outcomeUnknown();
    }

    /** The broker concerned, null if the failure has none. */
    public @Nullable BrokerAddress server() {
        return server;
    }

    /** The partition concerned, null if the failure has none. */
    public @Nullable TopicPartition partition() {
        return partition;
    }

    /** The protocol's status code, 0 when no broker answered. */
    public int code() {
        return code;
    }

    /** Whether the same call can succeed later without anybody changing anything. */
    public boolean isRetriable() {
        return retriable;
    }

    /** Whether the broker may have done what it was asked: its answer was lost. */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /** What an exception is made of. */
    record Failure(
            String message,
            @Nullable BrokerAddress server,
            @Nullable TopicPartition partition,
            int code,
            boolean retriable,
            boolean outcomeUnknown) {

        String text() {
            StringBuilder text = new StringBuilder(message);
            if (server != null || partition != null || code != 0) {
                text.append(" [");
                String gap = "";
                if (server != null) {
                    text.append("server ").append(server);
                    gap = ", ";
                }
                if (partition != null) {
                    text.append(gap).append("partition ").append(partition);
                    gap = ", ";
                }
                if (code != 0) {
                    text.append(gap).append("code ").append(code);
                }
                text.append(']');
            }
            return text.toString();
        }
    }
}
