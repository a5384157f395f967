package io.metaq.state;

import io.metaq.state.record.Change;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import io.metaq.state.subscription.Subscriptions;
import io.metaq.state.transaction.Transaction;
import io.metaq.state.transaction.TransactionRules;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What each change does to topics, groups, subscriptions and producers. Writer thread. */
final class ChangeRules {
    private final Topics topics;
    private final Groups groups;
    private final Subscriptions subscriptions;
    private final Producers producers;
    private final Appender appender;
    private final TransactionRules transactions;

    ChangeRules(
            Topics topics,
            Groups groups,
            Subscriptions subscriptions,
            Producers producers,
            Appender appender,
            TransactionRules transactions) {
        this.topics = topics;
        this.groups = groups;
        this.subscriptions = subscriptions;
        this.producers = producers;
        this.appender = appender;
        this.transactions = transactions;
    }

    /** @param observer told of what follows from the change, such as the subscriptions that go with a topic */
    Outcome apply(Change change, Consumer<Change> observer) throws IOException {
        if (change instanceof Change.BrokerFounded founded) {
            appender.nextMessageId(founded.firstMessageId());
            return Outcome.DONE;
        } else if (change instanceof Change.TopicCreated created) {
            return create(created);
        } else if (change instanceof Change.TopicAltered altered) {
            return alter(altered);
        } else if (change instanceof Change.TopicDeleted deleted) {
            return delete(deleted, observer);
        } else if (change instanceof Change.PartitionsGated gated) {
            return topics.gate(gated);
        } else if (change instanceof Change.OffsetCommitted committed) {
            return topics.has(committed.topic(), committed.partition())
                    ? groups.commit(committed)
                    : unknownTopic(committed.topic());
        } else if (change instanceof Change.OffsetsReset reset) {
            return topics.byName(reset.topic()) == null ? unknownTopic(reset.topic()) : groups.reset(reset);
        } else if (change instanceof Change.GroupDeleted deleted) {
            return groups.delete(deleted.group());
        } else if (change instanceof Change.PartitionTrimmed trimmed) {
            appender.flush();
            return topics.trim(trimmed);
        } else if (change instanceof Change.ProducersExpired expired) {
            producers.expire(expired.beforeMs());
            return Outcome.DONE;
        }
        return applyToSubscription(change);
    }

    private Outcome applyToSubscription(Change change) throws IOException {
        if (change instanceof Change.SubscriptionCreated created) {
            return create(created);
        } else if (change instanceof Change.SubscriptionDeleted deleted) {
            return delete(deleted);
        } else if (change instanceof Change.SubscriptionMoved moved) {
            return move(moved.name(), moved.to());
        } else if (change instanceof Change.SubscriptionPurged purged) {
            return move(purged.name(), Start.LAST);
        } else if (change instanceof Change.SubscriptionPaused paused) {
            Subscription subscription = subscriptions.byName(paused.name());
            if (subscription == null) {
                return unknownSubscription(paused.name());
            }
            subscriptions.pause(subscription, paused.paused());
            return Outcome.DONE;
        } else if (change instanceof Change.Returned returned) {
            return comeBack(returned);
        } else if (change instanceof Change.DeliveredMark mark) {
            Subscription subscription = subscriptions.byId(mark.subscriptionId());
            if (subscription == null) {
                return unknownSubscription("number " + mark.subscriptionId());
            }
            subscriptions.mark(subscription, mark.partition(), mark.offset());
            return Outcome.DONE;
        }
        throw new IllegalStateException("no rule for " + change);
    }

    private Outcome create(Change.TopicCreated created) throws IOException {
        if (TemporaryTopics.isTemporary(created.topic())) {
            return Outcome.refused(
                    Refusal.INVALID,
                    "names that begin with " + TemporaryTopics.PREFIX + " are those of temporary topics");
        }
        Outcome outcome = topics.create(created);
        Topic topic = topics.byName(created.topic());
        if (outcome instanceof Outcome.Done && topic != null && topic.kind() == Topic.Kind.QUEUE) {
            subscriptions.create(SubscriptionInfo.ofQueue(topic.name(), topic.id()), topic.logs(), Start.FIRST);
        }
        return outcome;
    }

    private Outcome alter(Change.TopicAltered altered) throws IOException {
        Topic topic = topics.byName(altered.topic());
        int before = topic == null ? 0 : topic.partitionCount();
        Outcome outcome = topics.alter(altered);
        if (topic != null) {
            for (int i = before; i < topic.partitionCount(); i++) {
                subscriptions.grow(topic.id(), topic.partitions()[i].log());
            }
        }
        return outcome;
    }

    private Outcome delete(Change.TopicDeleted deleted, Consumer<Change> observer) throws IOException {
        Topic topic = topics.byName(deleted.topic());
        if (topic == null) {
            return Topics.unknown(deleted.topic());
        }
        Transaction prepared = preparedFor(topic);
        if (prepared != null) {
            return held(topic.name(), prepared);
        }
        // A log is closed with its files in order, though they go: messages of the same batch may have made it just
        // now.
        appender.flush();
        appender.forget(topic);
        Outcome outcome = topics.delete(topic);
        groups.forgetTopic(deleted.topic());
        transactions.topicGone(topic.id());
        for (Subscription subscription : subscriptions.ofTopic(topic.id())) {
            subscriptions.delete(subscription);
            transactions.subscriptionGone(subscription.id());
            observer.accept(new Change.SubscriptionDeleted(subscription.info().name()));
        }
        return outcome;
    }

    /** A position in a topic that is gone must not wait for the next one of that name. */
    private static Outcome unknownTopic(String name) {
        return Outcome.refused(Refusal.UNKNOWN_TOPIC, "there is no such partition of topic " + name);
    }

    private static Outcome unknownSubscription(String name) {
        return Outcome.refused(Refusal.UNKNOWN_SUBSCRIPTION, "there is no subscription " + name);
    }

    private Outcome create(Change.SubscriptionCreated created) throws IOException {
        SubscriptionInfo info = created.info();
        Topic topic = topics.byId(info.topicId());
        if (topic == null) {
            return Outcome.refused(Refusal.UNKNOWN_TOPIC, "the topic was deleted meanwhile");
        } else if (topic.kind() == Topic.Kind.QUEUE) {
            return Outcome.refused(
                    Refusal.INVALID, topic.name() + " is a queue, which has one subscription and takes no other");
        } else if (info.kind() == SubscriptionInfo.Kind.QUEUE || info.kind() == SubscriptionInfo.Kind.TRANSIENT) {
            return Outcome.refused(
                    Refusal.INVALID, "a subscription of kind " + info.kind() + " is not made by a record");
        } else if (info.name().startsWith(SubscriptionInfo.QUEUE_PREFIX)) {
            return Outcome.refused(
                    Refusal.INVALID, "names that begin with " + SubscriptionInfo.QUEUE_PREFIX + " are those of queues");
        } else if (subscriptions.byName(info.name()) != null) {
            return Outcome.refused(Refusal.EXISTS, "subscription " + info.name() + " exists already");
        }
        Outcome outcome = check(topic, created.start());
        if (outcome instanceof Outcome.Done
                && created.start().where() == Start.Where.AT
                && created.start().positions().size() < topic.partitionCount()) {
            return Outcome.refused(Refusal.INVALID, "a place is needed in each partition of " + topic.name());
        }
        if (outcome instanceof Outcome.Done) {
            topics.trimScheduledNow(topic);
            subscriptions.create(info, topic.logs(), created.start());
        }
        return outcome;
    }

    private Outcome delete(Change.SubscriptionDeleted deleted) {
        Subscription subscription = subscriptions.byName(deleted.name());
        if (subscription == null) {
            return unknownSubscription(deleted.name());
        } else if (subscription.info().kind() == SubscriptionInfo.Kind.QUEUE) {
            return Outcome.refused(Refusal.INVALID, deleted.name() + " goes with its queue only");
        }
        Transaction prepared = transactions.table().preparedOn(subscription.id());
        if (prepared != null) {
            return held(deleted.name(), prepared);
        }
        subscriptions.delete(subscription);
        transactions.subscriptionGone(subscription.id());
        return Outcome.DONE;
    }

    private @Nullable Transaction preparedFor(Topic topic) {
        Transaction prepared = transactions.table().preparedFor(topic.id());
        for (Subscription subscription : subscriptions.ofTopic(topic.id())) {
            prepared = prepared == null ? transactions.table().preparedOn(subscription.id()) : prepared;
        }
        return prepared;
    }

    private static Outcome held(String name, Transaction prepared) {
        return Outcome.refused(
                Refusal.PREPARED,
                name + " is part of the prepared transaction " + prepared.key() + ": commit it or roll it back first");
    }

    private Outcome move(String name, Start to) throws IOException {
        Subscription subscription = subscriptions.byName(name);
        Topic topic =
                subscription == null ? null : topics.byId(subscription.info().topicId());
        if (subscription == null || topic == null) {
            return unknownSubscription(name);
        }
        Outcome outcome = check(topic, to);
        if (outcome instanceof Outcome.Done) {
            topics.trimScheduledNow(topic);
            subscriptions.move(subscription, to);
        }
        return outcome;
    }

    private static Outcome check(Topic topic, Start start) {
        if (start.where() == Start.Where.FIRST) {
            return Outcome.refused(Refusal.INVALID, "where the first message is must be told by position");
        }
        for (Start.Position position : start.positions()) {
            Partition partition = topic.partition(position.partition());
            if (partition == null) {
                return Outcome.refused(
                        Refusal.UNKNOWN_PARTITION, topic.name() + " has no partition " + position.partition());
            } else if (position.offset() < 0
                    || position.offset() > partition.log().stagedEndOffset()) {
                return Outcome.refused(Refusal.INVALID, partition.name() + " has no offset " + position.offset());
            }
        }
        return Outcome.DONE;
    }

    private Outcome comeBack(Change.Returned returned) {
        Subscription subscription = subscriptions.byId(returned.subscriptionId());
        if (subscription == null) {
            return unknownSubscription("number " + returned.subscriptionId());
        }
        for (Change.ReturnedMessage message : returned.messages()) {
            subscriptions.returned(subscription, returned.partition(), message.offset(), message.notBeforeMs());
        }
        return Outcome.DONE;
    }
}
