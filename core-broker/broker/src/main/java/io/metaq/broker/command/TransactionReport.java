package io.metaq.broker.command;

import io.metaq.protocol.codec.PercentCode;
import io.metaq.state.BrokerState;
import io.metaq.state.Topic;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.transaction.Transaction;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Transactions as lines for an operator. */
final class TransactionReport {
    private final BrokerState state;
    private final Clock clock;

    TransactionReport(BrokerState state, Clock clock) {
        this.state = state;
        this.clock = clock;
    }

    /** Oldest first. */
    String list(Glob glob) {
        StringBuilder lines = new StringBuilder();
        for (Transaction each : state.transactions().all()) {
            if (glob.matches(each.key())) {
                lines.append(each.key()).append(" phase ").append(phase(each));
                lines.append(" age ").append(age(each.startedMs()));
                lines.append(" messages ").append(messages(each));
                lines.append(" bytes ").append(bytes(each));
                lines.append(" acknowledged ").append(acknowledged(each));
                lines.append(" owner ").append(PercentCode.encode(each.owner())).append("\r\n");
            }
        }
        return lines.toString();
    }

    String show(Transaction shown) {
        StringBuilder lines = new StringBuilder();
        line(lines, "key", shown.key());
        line(lines, "number", shown.id());
        line(lines, "phase", phase(shown));
        line(lines, "owner", shown.owner());
        line(lines, "started", shown.startedMs());
        line(lines, "age", age(shown.startedMs()));
        if (shown.preparedMs() > 0) {
            line(lines, "prepared", shown.preparedMs());
        }
        line(lines, "timeout", TimeUnit.MILLISECONDS.toSeconds(shown.timeoutMs()));
        line(lines, "messages", messages(shown));
        line(lines, "bytes", bytes(shown));
        line(lines, "acknowledged", acknowledged(shown));
        for (Transaction.Waiting held : shown.waiting()) {
            Topic topic = state.topic(held.topicId());
            lines.append("topic ").append(topic == null ? "-" : PercentCode.encode(topic.name()));
            lines.append(" partition ").append(held.partition());
            lines.append(" messages ").append(held.messages());
            lines.append(" bytes ").append(held.bytes()).append("\r\n");
        }
        for (Transaction.Locked held : shown.locked()) {
            lines.append("subscription ").append(subscription(held.subscriptionId()));
            lines.append(" acknowledged ").append(held.messages()).append("\r\n");
        }
        String doom = shown.doom();
        if (doom != null) {
            line(lines, "doomed", doom);
        }
        return lines.toString();
    }

    private String subscription(int id) {
        for (Subscription each : state.subscriptions()) {
            if (each.id() == id) {
                return PercentCode.encode(each.info().name());
            }
        }
        return "-";
    }

    private static String phase(Transaction transaction) {
        return transaction.phase().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Seconds. */
    private long age(long sinceMs) {
        return TimeUnit.MILLISECONDS.toSeconds(Math.max(0, clock.millis() - sinceMs));
    }

    private static long messages(Transaction transaction) {
        return transaction.waiting().stream()
                .mapToLong(Transaction.Waiting::messages)
                .sum();
    }

    private static long bytes(Transaction transaction) {
        return transaction.waiting().stream()
                .mapToLong(Transaction.Waiting::bytes)
                .sum();
    }

    private static long acknowledged(Transaction transaction) {
        return transaction.locked().stream()
                .mapToLong(Transaction.Locked::messages)
                .sum();
    }

    private static void line(StringBuilder lines, String key, Object value) {
        lines.append(key).append(' ').append(value).append("\r\n");
    }
}
