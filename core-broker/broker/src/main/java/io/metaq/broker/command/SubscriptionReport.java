package io.metaq.broker.command;

import io.metaq.broker.subscription.Dispatches;
import io.metaq.broker.subscription.HostedDispatch;
import io.metaq.protocol.codec.PercentCode;
import io.metaq.state.BrokerState;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.Dispatch;
import io.metaq.state.dispatch.Explanation;
import io.metaq.state.dispatch.Subscriber;
import io.metaq.state.subscription.Cursor;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import io.metaq.state.transaction.Transaction;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Subscriptions as lines for an operator. */
final class SubscriptionReport {
    private final BrokerState state;
    private final Dispatches dispatches;

    SubscriptionReport(BrokerState state, Dispatches dispatches) {
        this.state = state;
        this.dispatches = dispatches;
    }

    /** The journalled ones, and of the others those that have consumers. */
    String list(Glob glob, @Nullable String topicName) {
        Map<String, Subscription> found = new TreeMap<>();
        dispatches.all().forEach(host -> found.put(host.subscription().info().name(), host.subscription()));
        state.subscriptions()
                .forEach(subscription -> found.put(subscription.info().name(), subscription));
        StringBuilder lines = new StringBuilder();
        found.forEach((name, subscription) -> {
            Topic topic = state.topic(subscription.info().topicId());
            if (topic != null
                    && !subscription.gone()
                    && glob.matches(name)
                    && (topicName == null || topicName.equals(topic.name()))) {
                HostedDispatch host = dispatches.find(subscription);
                lines.append(PercentCode.encode(name));
                lines.append(" topic ").append(PercentCode.encode(topic.name()));
                lines.append(" kind ").append(kind(subscription));
                lines.append(" consumers ").append(host == null ? 0 : host.consumers());
                lines.append(" depth ").append(subscription.depth()).append("\r\n");
            }
        });
        return lines.toString();
    }

    private static String kind(Subscription subscription) {
        return switch (subscription.info().kind()) {
            case QUEUE -> "queue";
            case DURABLE -> "durable";
            case SHARED_DURABLE -> "shared-durable";
            case TRANSIENT -> "transient";
        };
    }

    String describe(Subscription subscription, Topic topic) {
        SubscriptionInfo info = subscription.info();
        StringBuilder lines = new StringBuilder();
        line(lines, "name", PercentCode.encode(info.name()));
        line(lines, "topic", PercentCode.encode(topic.name()));
        line(lines, "kind", kind(subscription));
        if (info.selector() != null) {
            line(lines, "selector", info.selector());
        }
        if (info.noLocalOrigin() != null) {
            line(lines, "nolocal-origin", info.noLocalOrigin());
        }
        line(lines, "paused", Boolean.toString(subscription.paused()));
        line(lines, "depth", Long.toString(subscription.depth()));
        for (int i = 0; i < subscription.partitionCount(); i++) {
            Cursor cursor = subscription.cursor(i);
            lines.append("partition ").append(i);
            lines.append(" floor ").append(cursor.floor());
            lines.append(" end ").append(topic.partitions()[i].log().endOffset());
            lines.append(" ranges ").append(cursor.rangeCount());
            lines.append(" returned ").append(cursor.returnedCount());
            lines.append(" depth ").append(cursor.depth()).append("\r\n");
        }
        return lines.toString();
    }

    private static void line(StringBuilder lines, String key, String value) {
        lines.append(key).append(' ').append(value).append("\r\n");
    }

    /** The consumers of a dispatch; on its thread. */
    static String consumers(Dispatch dispatch) {
        StringBuilder lines = new StringBuilder();
        line(lines, "consumers", Integer.toString(dispatch.subscribers().size()));
        for (Subscriber subscriber : dispatch.subscribers()) {
            lines.append(subscriber.describe()).append("\r\n");
        }
        return lines.toString();
    }

    /** Why a consumer of a subscription gets nothing; what its dispatch has found, and what transactions hold. */
    String explained(Subscription subscription, Explanation explanation) {
        Transaction oldest = null;
        long locked = 0;
        for (Transaction transaction : state.transactions().all()) {
            for (Transaction.Locked part : transaction.locked()) {
                if (part.subscriptionId() == subscription.id()) {
                    oldest = oldest == null ? transaction : oldest;
                    locked += part.messages();
                }
            }
        }
        boolean nothingElse = explanation.figures().getOrDefault("pending", 0L) == 0;
        String reason = oldest != null && nothingElse ? held(locked, oldest) : explanation.reason();
        StringBuilder lines = new StringBuilder(reason).append("\r\n");
        explanation.figures().forEach((key, value) -> line(lines, key, Long.toString(value)));
        line(lines, "locked", Long.toString(locked));
        return lines.toString();
    }

    private static String held(long locked, Transaction oldest) {
        return "transactions: " + locked
                + " messages were received in transactions that have not ended, the oldest of which, "
                + oldest.key() + ", is " + oldest.phase().name().toLowerCase(Locale.ROOT) + " and was begun at "
                + Instant.ofEpochMilli(oldest.startedMs()) + " (tx show tells whose it is)";
    }
}
