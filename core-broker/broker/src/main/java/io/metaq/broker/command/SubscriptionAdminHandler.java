package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.broker.subscription.Attachments;
import io.metaq.broker.subscription.Dispatches;
import io.metaq.broker.subscription.HostedDispatch;
import io.metaq.broker.subscription.Refused;
import io.metaq.message.InvalidSelectorException;
import io.metaq.message.Selector;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.Outcome;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.MessageBoundary;
import io.metaq.state.dispatch.MoveOrder;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code subscription}: create, delete, list, describe, purge, seek, pause, resume, move, redrive, explain. */
final class SubscriptionAdminHandler implements CommandHandler {
    private final Store store;
    private final TopicCatalog topics;
    private final Dispatches dispatches;
    private final Attachments attachments;
    private final SubscriptionReport report;

    SubscriptionAdminHandler(HandlerContext context, Dispatches dispatches, Attachments attachments) {
        this.store = context.store();
        this.topics = context.topics();
        this.dispatches = dispatches;
        this.attachments = attachments;
        this.report = new SubscriptionReport(context.store().state(), dispatches);
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Admin admin = (Request.Admin) request;
        try {
            carryOut(admin, new OptionReader(admin.options()), session);
        } catch (IllegalArgumentException e) {
            session.reply(Status.BAD_REQUEST, String.valueOf(e.getMessage()), admin.opaque());
        } catch (Refused e) {
            session.reply(e.status(), e.text(), admin.opaque());
        } catch (IOException e) {
            session.reply(Status.FAILED, "the partition log cannot be read: " + e.getMessage(), admin.opaque());
        }
    }

    private void carryOut(Request.Admin admin, OptionReader options, Session session) throws IOException {
        String name = admin.name();
        switch (admin.operation()) {
            case SUBSCRIPTION_LIST ->
                session.reply(Status.OK, report.list(new Glob(name), options.text("topic")), admin.opaque());
            case SUBSCRIPTION_CREATE -> create(admin, options, session);
            case SUBSCRIPTION_DELETE -> answerLater(attachments.delete(name), admin, session);
            case SUBSCRIPTION_PURGE ->
                change(new Change.SubscriptionPurged(journalled(name).info().name()), admin, session);
            case SUBSCRIPTION_SEEK -> seek(admin, options, session);
            case SUBSCRIPTION_PAUSE ->
                change(new Change.SubscriptionPaused(journalled(name).info().name(), true), admin, session);
            case SUBSCRIPTION_RESUME ->
                change(new Change.SubscriptionPaused(journalled(name).info().name(), false), admin, session);
            case SUBSCRIPTION_DESCRIBE -> describe(admin, session);
            case SUBSCRIPTION_MOVE -> move(admin, moveOrder(options), session);
            case SUBSCRIPTION_REDRIVE -> move(admin, new MoveOrder(null, null, null, most(options)), session);
            case SUBSCRIPTION_EXPLAIN -> explain(admin, options, session);
            default ->
                session.reply(
                        Status.NOT_SUPPORTED,
                        "subscription " + admin.operation().word(),
                        admin.opaque());
        }
    }

    private void change(Change change, Request.Admin admin, Session session) {
        ChangeAnswers.inOrder(store, change, admin.opaque(), session);
    }

    private static void answerLater(CompletableFuture<Outcome> outcome, Request.Admin admin, Session session) {
        session.hold();
        outcome.whenComplete((done, failure) -> session.later(() -> {
            session.reply(ChangeAnswers.of(done, failure, admin.opaque()));
            session.release();
        }));
    }

    private Subscription journalled(String name) {
        Subscription found = find(name);
        if (found.isTransient()) {
            throw new Refused(
                    Status.CONFLICT, "subscription " + name + " goes with its consumers: that is no use for it");
        }
        return found;
    }

    private Subscription find(String name) {
        Subscription found = store.state().subscription(name);
        HostedDispatch passing = found == null ? dispatches.passing(name) : null;
        if (passing != null) {
            return passing.subscription();
        }
        if (found == null) {
            throw new Refused(Status.NOT_FOUND, "there is no subscription " + name);
        }
        return found;
    }

    private Topic topic(Subscription subscription) {
        Topic topic = store.state().topic(subscription.info().topicId());
        if (topic == null) {
            throw new Refused(
                    Status.NOT_FOUND, "subscription " + subscription.info().name() + " was deleted meanwhile");
        }
        return topic;
    }

    private static @Nullable Selector selector(OptionReader options) {
        String text = options.text("selector");
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Selector.parse(text);
        } catch (InvalidSelectorException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private void create(Request.Admin admin, OptionReader options, Session session) throws IOException {
        Topic topic = topics.topic(options.required("topic"));
        if (topic == null) {
            throw new Refused(Status.NOT_FOUND, "there is no topic " + options.text("topic"));
        } else if (topic.temporary()) {
            throw new Refused(Status.CONFLICT, topic.name() + " is temporary: attach to it");
        }
        SubscriptionInfo.Kind kind = switch (options.required("kind")) {
            case "durable" -> SubscriptionInfo.Kind.DURABLE;
            case "shared-durable" -> SubscriptionInfo.Kind.SHARED_DURABLE;
            default ->
                throw new IllegalArgumentException(
                        "option kind must be durable or shared-durable: " + options.text("kind"));
        };
        Selector selector = selector(options);
        SubscriptionInfo info = new SubscriptionInfo(
                admin.name(),
                topic.id(),
                kind,
                selector == null ? null : selector.text(),
                options.text("nolocal-origin"));
        String from = Objects.requireNonNullElse(options.text("from"), "last");
        Start start = from.equals("last") ? Start.LAST : start(topic, OffsetReset.ALL, from);
        change(new Change.SubscriptionCreated(info, start), admin, session);
    }

    private void seek(Request.Admin admin, OptionReader options, Session session) throws IOException {
        Subscription subscription = journalled(admin.name());
        int partition = options.text("partition") == null ? OffsetReset.ALL : options.index("partition");
        Start to = start(topic(subscription), partition, options.required("to"));
        change(new Change.SubscriptionMoved(admin.name(), to), admin, session);
    }

    /** @throws IllegalArgumentException for a place where no message begins */
    private static Start start(Topic topic, int partition, String to) throws IOException {
        List<Start.Position> positions = new ArrayList<>();
        Map<Integer, Long> offsets = new OffsetReset(topic, partition, to).offsets(null);
        for (Map.Entry<Integer, Long> entry : offsets.entrySet()) {
            var log = topic.partitions()[entry.getKey()].log();
            if (!MessageBoundary.isAt(log, entry.getValue())) {
                throw new IllegalArgumentException(
                        "no message of partition " + entry.getKey() + " begins at offset " + entry.getValue());
            }
            positions.add(new Start.Position(entry.getKey(), entry.getValue(), log.messagesBefore(entry.getValue())));
        }
        return Start.at(positions);
    }

    private void describe(Request.Admin admin, Session session) {
        Subscription subscription = find(admin.name());
        Topic topic = topic(subscription);
        String head = report.describe(subscription, topic);
        HostedDispatch host = dispatches.find(subscription);
        if (host == null) {
            session.reply(Status.OK, head + "consumers 0", admin.opaque());
            return;
        }
        host.ask(SubscriptionReport::consumers)
                .whenComplete((lines, failure) -> session.later(() -> session.reply(
                        failure == null ? Status.OK : ErrorTexts.status(failure),
                        failure == null ? head + lines : ErrorTexts.text(failure),
                        admin.opaque())));
    }

    private static int most(OptionReader options) {
        long count = options.number("count", Integer.MAX_VALUE);
        if (count < 1) {
            throw new IllegalArgumentException("option count must be 1 or more: " + count);
        }
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    private MoveOrder moveOrder(OptionReader options) {
        String target = options.required("to");
        if (topics.topic(target) == null || TemporaryTopics.isTemporary(target)) {
            throw new Refused(Status.NOT_FOUND, "there is no topic " + target);
        }
        Long id = options.text("id") == null ? null : (Long) options.number("id");
        return new MoveOrder(target, selector(options), id, id == null ? most(options) : 1);
    }

    private void move(Request.Admin admin, MoveOrder order, Session session) {
        Subscription subscription = find(admin.name());
        Topic topic = topic(subscription);
        if (topic.name().equals(order.target())) {
            throw new IllegalArgumentException("the messages are in " + order.target() + " already");
        }
        HostedDispatch host = dispatches.acquire(subscription, topic, session.loop());
        host.execute(dispatch -> dispatch.move(
                order,
                (moved, failure) -> session.later(() -> {
                    host.release();
                    session.reply(
                            failure == null ? Status.OK : ErrorTexts.status(failure),
                            "moved " + moved + (failure == null ? "" : ", then: " + ErrorTexts.text(failure)),
                            admin.opaque());
                })));
    }

    private void explain(Request.Admin admin, OptionReader options, Session session) {
        Subscription subscription = find(admin.name());
        Selector selector = selector(options);
        HostedDispatch host = dispatches.acquire(subscription, topic(subscription), session.loop());
        host.execute(dispatch -> dispatch.explain(
                selector,
                explanation -> session.later(() -> {
                    host.release();
                    session.reply(Status.OK, report.explained(subscription, explanation), admin.opaque());
                })));
    }
}
