package io.metaq.broker.subscription;

import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.message.InvalidSelectorException;
import io.metaq.message.Selector;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.Outcome;
import io.metaq.state.Refusal;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.Subscriber;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Attaches consumers, by the rules of Jakarta Messaging 3.1 (8.3): who may share what with whom, and when a subscription
 * is made anew. What concerns one subscription is done one after the other. Refusals are {@link Refused}.
 */
public final class Attachments {
    private final Dispatches dispatches;
    private final Store store;
    private final TemporaryDestinations temporary;
    private final InTurn inTurn = new InTurn();

    public Attachments(Dispatches dispatches, TemporaryDestinations temporary) {
        this.dispatches = dispatches;
        this.store = dispatches.store();
        this.temporary = temporary;
    }

    /** An attached consumer and the dispatch that it is attached to. */
    public record Attached(HostedDispatch host, Subscriber subscriber) {}

    /** Attaches a consumer of a connection. On the connection's event loop; the future ends on any thread. */
    public CompletableFuture<Attached> attach(Request.Attach wish, Session session, Runnable whenDetached) {
        try {
            Selector selector = selector(wish.selector());
            if (wish.noLocal() && wish.origin() == null) {
                throw new Refused(Status.BAD_REQUEST, "nolocal needs origin=…: whose messages are to be left out");
            }
            boolean queue = wish.kind() == AttachKind.QUEUE
                    || wish.kind() == AttachKind.BROWSE && wish.name().startsWith(SubscriptionInfo.QUEUE_PREFIX);
            return destination(wish.topic(), queue, session)
                    .thenCompose(topic -> attach(new Wish(wish, selector, topic, session, whenDetached)));
        } catch (Refused e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private record Wish(
            Request.Attach request, @Nullable Selector selector, Topic topic, Session session, Runnable whenDetached) {
        String name() {
            return request.name();
        }

        SubscriptionInfo info(SubscriptionInfo.Kind kind) {
            return new SubscriptionInfo(
                    name(),
                    topic.id(),
                    kind,
                    selector == null ? null : selector.text(),
                    request.noLocal() ? request.origin() : null);
        }
    }

    private static @Nullable Selector selector(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Selector.parse(text);
        } catch (InvalidSelectorException e) {
            throw new Refused(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    /** The destination of that name and kind, made if there is none and the configuration allows. */
    public CompletableFuture<Topic> destination(String name, boolean queue, Session session) {
        Topic topic = store.state().topic(name);
        if (TemporaryTopics.isTemporary(name)) {
            if (topic == null) {
                throw new Refused(Status.NOT_FOUND, "there is no temporary destination " + name);
            } else if (!temporary.belongsTo(name, session)) {
                throw new Refused(
                        Status.FORBIDDEN, name + " belongs to another connection, which alone may consume from it");
            }
        }
        if (topic != null) {
            return CompletableFuture.completedFuture(ofKind(topic, queue));
        }
        Change creation = dispatches
                .rules()
                .onDemand(name, queue)
                .orElseThrow(
                        () -> new Refused(
                                Status.NOT_FOUND,
                                "there is no " + (queue ? "queue " : "topic ") + name
                                        + ", and the configuration does not let it be created by its use (createDestinations)"));
        return store.change(creation, Durability.DISK).thenApply(outcome -> {
            Topic created = store.state().topic(name);
            if (created != null) {
                return ofKind(created, queue);
            }
            throw refused(outcome);
        });
    }

    private static Topic ofKind(Topic topic, boolean queue) {
        if ((topic.kind() == Topic.Kind.QUEUE) != queue) {
            throw new Refused(
                    Status.CONFLICT, topic.name() + (queue ? " is a topic, not a queue" : " is a queue, not a topic"));
        }
        return topic;
    }

    private static Refused refused(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused
                ? new Refused(
                        refused.reason() == Refusal.UNKNOWN_TOPIC ? Status.NOT_FOUND : Status.CONFLICT, refused.text())
                : new Refused(Status.CONFLICT, "it was deleted meanwhile");
    }

    private CompletableFuture<Attached> attach(Wish wish) {
        return switch (wish.request().kind()) {
            case QUEUE, BROWSE -> attachToQueue(wish);
            case DURABLE -> inTurn.run(wish.name(), () -> attachDurable(wish, SubscriptionInfo.Kind.DURABLE));
            case SHARED_DURABLE ->
                inTurn.run(wish.name(), () -> attachDurable(wish, SubscriptionInfo.Kind.SHARED_DURABLE));
            case SHARED, EXCLUSIVE -> inTurn.run(wish.name(), () -> attachPassing(wish));
        };
    }

    private CompletableFuture<Attached> attachToQueue(Wish wish) {
        boolean queue = wish.topic().kind() == Topic.Kind.QUEUE;
        if (queue
                && !wish.name()
                        .equals(SubscriptionInfo.QUEUE_PREFIX + wish.topic().name())) {
            throw new Refused(
                    Status.BAD_REQUEST,
                    "the subscription of queue " + wish.topic().name() + " is " + SubscriptionInfo.QUEUE_PREFIX
                            + wish.topic().name());
        }
        Subscription subscription = store.state().subscription(wish.name());
        if (subscription == null
                || subscription.info().topicId() != wish.topic().id()) {
            throw new Refused(
                    Status.NOT_FOUND,
                    "there is no subscription " + wish.name() + " of "
                            + wish.topic().name());
        }
        return attach(wish, subscription);
    }

    private CompletableFuture<Attached> attach(Wish wish, Subscription subscription) {
        HostedDispatch host =
                dispatches.acquire(subscription, wish.topic(), wish.session().loop());
        SessionRecipient recipient =
                new SessionRecipient(wish.session(), wish.request().consumer(), host, wish.whenDetached());
        boolean queue = subscription.info().kind() == SubscriptionInfo.Kind.QUEUE;
        boolean browse = wish.request().kind() == AttachKind.BROWSE;
        // The selector of a topic's subscription is the subscription's own.
        Selector selector = queue || browse ? wish.selector() : null;
        return host.ask(dispatch -> {
            if (dispatch.ended()) {
                host.release();
                throw new Refused(Status.NOT_FOUND, wish.name() + " was deleted meanwhile");
            }
            host.attached();
            return new Attached(
                    host, browse ? dispatch.browse(recipient, selector) : dispatch.attach(recipient, selector));
        });
    }

    private CompletableFuture<Attached> attachDurable(Wish wish, SubscriptionInfo.Kind kind) {
        SubscriptionInfo info = wish.info(kind);
        Subscription there = store.state().subscription(wish.name());
        if (there == null) {
            return create(wish, info);
        }
        if (there.info().kind() != kind) {
            throw new Refused(
                    Status.CONFLICT,
                    "subscription " + wish.name() + " is "
                            + (kind == SubscriptionInfo.Kind.DURABLE ? "a shared one" : "an unshared one")
                            + ", and cannot be both");
        }
        HostedDispatch host = dispatches.find(there);
        CompletableFuture<Boolean> active =
                host == null ? CompletableFuture.completedFuture(false) : host.ask(dispatch -> dispatch.active());
        return active.thenCompose(hasConsumers -> {
            if (hasConsumers && kind == SubscriptionInfo.Kind.DURABLE) {
                throw new Refused(Status.CONFLICT, "subscription " + wish.name() + " has a consumer already");
            }
            if (there.info().equals(info)) {
                return attach(wish, there);
            }
            if (hasConsumers) {
                throw different(there.info(), info);
            }
            return store.change(new Change.SubscriptionDeleted(wish.name()), Durability.DISK)
                    .thenCompose(deleted -> create(wish, info));
        });
    }

    private CompletableFuture<Attached> create(Wish wish, SubscriptionInfo info) {
        return store.change(new Change.SubscriptionCreated(info, Start.LAST), Durability.DISK)
                .thenCompose(outcome -> {
                    Subscription made = store.state().subscription(info.name());
                    if (made == null || !made.info().equals(info)) {
                        throw refused(outcome);
                    }
                    return attach(wish, made);
                });
    }

    private CompletableFuture<Attached> attachPassing(Wish wish) {
        SubscriptionInfo info = wish.info(SubscriptionInfo.Kind.TRANSIENT);
        if (store.state().subscription(wish.name()) != null) {
            throw new Refused(Status.CONFLICT, "there is a durable subscription " + wish.name());
        }
        HostedDispatch host = dispatches.passing(wish.name());
        CompletableFuture<Boolean> active = host == null
                ? CompletableFuture.completedFuture(false)
                : host.ask(dispatch -> dispatch.active() && !dispatch.ended());
        return active.thenCompose(hasConsumers -> {
            if (host == null || !hasConsumers) {
                return attach(wish, begin(wish, info));
            }
            if (wish.request().kind() == AttachKind.EXCLUSIVE) {
                throw new Refused(Status.CONFLICT, "subscription " + wish.name() + " has a consumer already");
            }
            if (!host.subscription().info().equals(info)) {
                throw different(host.subscription().info(), info);
            }
            return attach(wish, host.subscription());
        });
    }

    private static Subscription begin(Wish wish, SubscriptionInfo info) {
        try {
            return wish.topic().subscribe(info, Start.LAST);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static Refused different(SubscriptionInfo there, SubscriptionInfo wanted) {
        String what = there.topicId() != wanted.topicId()
                ? "topic"
                : Objects.equals(there.selector(), wanted.selector()) ? "noLocal" : "selector";
        return new Refused(
                Status.CONFLICT,
                "subscription " + there.name() + " has consumers and another " + what + ": close them first");
    }

    /** Deletes a durable subscription, unless it has consumers. */
    public CompletableFuture<Outcome> delete(String name) {
        return inTurn.run(name, () -> {
            Subscription there = store.state().subscription(name);
            HostedDispatch host = there == null ? null : dispatches.find(there);
            CompletableFuture<Boolean> active =
                    host == null ? CompletableFuture.completedFuture(false) : host.ask(dispatch -> dispatch.active());
            return active.thenCompose(hasConsumers -> {
                if (hasConsumers) {
                    throw new Refused(Status.CONFLICT, "subscription " + name + " has consumers: close them first");
                }
                return store.change(new Change.SubscriptionDeleted(name), Durability.DISK);
            });
        });
    }
}
