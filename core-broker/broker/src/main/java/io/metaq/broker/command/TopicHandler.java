package io.metaq.broker.command;

import io.metaq.broker.config.Setting;
import io.metaq.broker.config.Settings;
import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.broker.subscription.Attachments;
import io.metaq.broker.subscription.Refused;
import io.metaq.broker.subscription.TemporaryDestinations;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.Outcome;
import io.metaq.state.Partition;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** {@code topic}: create, alter, delete, close, open, describe, list, scrub, routes. */
final class TopicHandler implements CommandHandler {
    private static final String PARTITIONS = "partitions";
    private static final String ENSURE = "ensure";
    private static final int MAX_PARTITIONS = 100_000;
    private static final int MAX_NAME = 200;

    private static final List<Setting<?>> DESCRIBED = List.of(
            Settings.DELETE_POLICY,
            Settings.RETENTION_BYTES,
            Settings.MAX_SEGMENT_SIZE,
            Settings.ACCEPT_PUBLISH,
            Settings.ACCEPT_SUBSCRIBE,
            Settings.MAX_DELIVERIES,
            Settings.REDELIVERY_DELAY,
            Settings.REDELIVERY_BACKOFF,
            Settings.MAX_REDELIVERY_DELAY,
            Settings.DEAD_LETTER_QUEUE,
            Settings.EXPIRY_QUEUE,
            Settings.RETAIN_ACKNOWLEDGED);

    private final Store store;
    private final TopicCatalog topics;
    private final Scrub scrub;
    private final TopicRoutes routes;
    private final TemporaryDestinations temporary;
    private final Attachments attachments;

    TopicHandler(
            HandlerContext context,
            TemporaryDestinations temporary,
            Attachments attachments,
            TopicDirectory directory) {
        this.temporary = temporary;
        this.attachments = attachments;
        this.store = context.store();
        this.topics = context.topics();
        this.scrub = new Scrub(context.store());
        this.routes = new TopicRoutes(context, directory);
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Admin admin = (Request.Admin) request;
        try {
            if (TemporaryTopics.isTemporary(admin.name()) && temporary(admin, session)) {
                return;
            }
            switch (admin.operation()) {
                case TOPIC_CREATE -> create(admin, session);
                case TOPIC_ALTER -> alter(admin, session);
                case TOPIC_DELETE -> change(new Change.TopicDeleted(admin.name()), admin, session);
                case TOPIC_CLOSE -> gate(admin, session, false);
                case TOPIC_OPEN -> gate(admin, session, true);
                case TOPIC_DESCRIBE -> describe(admin, session);
                case TOPIC_LIST -> list(admin, session);
                case TOPIC_SCRUB -> scrub(admin, session);
                case TOPIC_ROUTES -> routes.answer(admin, session);
                default ->
                    session.reply(
                            Status.NOT_SUPPORTED, "topic " + admin.operation().word(), admin.opaque());
            }
        } catch (IllegalArgumentException e) {
            session.reply(Status.BAD_REQUEST, String.valueOf(e.getMessage()), admin.opaque());
        } catch (Refused e) {
            session.reply(e.status(), e.text(), admin.opaque());
        } catch (IOException e) {
            session.reply(Status.FAILED, "the partition log cannot be read: " + e.getMessage(), admin.opaque());
        }
    }

    /** Temporary destinations are made and deleted without the journal, by their connection. */
    private boolean temporary(Request.Admin admin, Session session) {
        switch (admin.operation()) {
            case TOPIC_CREATE -> {
                checkName(admin.name());
                temporary.create(admin.name(), temporaryKind(admin.options()), session);
            }
            case TOPIC_DELETE -> temporary.delete(admin.name(), session);
            case TOPIC_ALTER, TOPIC_CLOSE, TOPIC_OPEN, TOPIC_SCRUB ->
                throw new Refused(Status.NOT_SUPPORTED, "a temporary destination can be created and deleted, no more");
            default -> {
                return false;
            }
        }
        session.reply(Status.OK, "", admin.opaque());
        return true;
    }

    private static Topic.Kind temporaryKind(Map<String, String> options) {
        String kind = options.get(Settings.KIND.name());
        if (options.size() == 1 && "temporary-queue".equals(kind)) {
            return Topic.Kind.QUEUE;
        } else if (options.size() == 1 && "temporary-topic".equals(kind)) {
            return Topic.Kind.TOPIC;
        }
        throw new IllegalArgumentException("a name that begins with " + TemporaryTopics.PREFIX
                + " is that of a temporary destination: give kind=temporary-queue or kind=temporary-topic, no more");
    }

    /** A destination that is used: no fault if it is there. */
    private void ensure(Request.Admin admin, Session session) {
        String kind = admin.options().get(Settings.KIND.name());
        boolean queue = "queue".equals(kind);
        if (admin.options().size() != 2 || !queue && !"topic".equals(kind)) {
            throw new IllegalArgumentException("with ensure=true give kind=queue or kind=topic, no more");
        }
        session.hold();
        CompletableFuture<Topic> ensured;
        try {
            ensured = attachments.destination(admin.name(), queue, session);
        } catch (Refused e) {
            ensured = CompletableFuture.failedFuture(e);
        }
        ensured.whenComplete((topic, failure) -> session.later(() -> {
            session.reply(ChangeAnswers.of(Outcome.DONE, failure, admin.opaque()));
            session.release();
        }));
    }

    private void create(Request.Admin admin, Session session) {
        checkName(admin.name());
        if ("true".equals(admin.options().get(ENSURE))) {
            ensure(admin, session);
            return;
        }
        TopicConfig base = topics.base(admin.name());
        Map<String, String> settings = settings(admin, base);
        if (base.queue()) {
            settings.putIfAbsent(Settings.KIND.name(), "queue");
        }
        int partitions = partitions(admin, base.withAll(settings).numPartitions());
        change(new Change.TopicCreated(admin.name(), partitions, settings), admin, session);
    }

    private void alter(Request.Admin admin, Session session) {
        Map<String, String> settings = settings(admin, topics.base(admin.name()));
        int partitions = partitions(admin, 0);
        if (settings.containsKey(Settings.KIND.name())) {
            throw new IllegalArgumentException("the kind of a topic is fixed: delete it and create it anew");
        }
        if (settings.isEmpty() && partitions == 0) {
            throw new IllegalArgumentException("nothing to alter: give partitions=N or a setting");
        }
        change(new Change.TopicAltered(admin.name(), partitions, settings), admin, session);
    }

    private static Map<String, String> settings(Request.Admin admin, TopicConfig base) {
        Map<String, String> settings = new TreeMap<>(admin.options());
        settings.remove(PARTITIONS);
        Map<String, String> given = new TreeMap<>(settings);
        // An empty value takes a setting back; the others must be right.
        given.values().removeIf(String::isEmpty);
        base.withAll(given);
        return settings;
    }

    private static int partitions(Request.Admin admin, int otherwise) {
        long partitions = new OptionReader(admin.options()).number(PARTITIONS, otherwise);
        if (partitions != otherwise && (partitions < 1 || partitions > MAX_PARTITIONS)) {
            throw new IllegalArgumentException(
                    "option partitions must be between 1 and " + MAX_PARTITIONS + ": " + partitions);
        }
        return (int) partitions;
    }

    /** A topic's name is part of file names, ZooKeeper paths and comma-separated lists. */
    private static void checkName(String name) {
        if (name.isEmpty()
                || name.length() > MAX_NAME
                || name.chars().anyMatch(c -> c <= ' ' || "/,*?\\".indexOf(c) >= 0)) {
            throw new IllegalArgumentException("'" + name + "' cannot name a topic: up to " + MAX_NAME
                    + " characters without spaces and without / , * ? \\");
        }
    }

    private void gate(Request.Admin admin, Session session, boolean open) {
        OptionReader options = new OptionReader(admin.options());
        Topic topic = topics.topic(admin.name());
        PartitionRange range = PartitionRange.of(options.text("partition"), topic);
        String what = Objects.requireNonNullElse(options.text("for"), "both");
        boolean both = what.equals("both");
        if (!both && !what.equals("publish") && !what.equals("subscribe")) {
            throw new IllegalArgumentException("option for must be publish, subscribe or both: " + what);
        }
        change(
                new Change.PartitionsGated(
                        admin.name(),
                        range.first(),
                        range.last(),
                        both || what.equals("publish"),
                        both || what.equals("subscribe"),
                        open),
                admin,
                session);
    }

    private void change(Change change, Request.Admin admin, Session session) {
        ChangeAnswers.inOrder(store, change, admin.opaque(), session);
    }

    private void scrub(Request.Admin admin, Session session) {
        Topic topic = topics.topic(admin.name());
        if (topic == null) {
            session.reply(Status.NOT_FOUND, "there is no topic " + admin.name(), admin.opaque());
            return;
        }
        String partitions = new OptionReader(admin.options()).text("partition");
        scrub.start(topic, PartitionRange.of(partitions, topic), admin.opaque(), session);
    }

    private void describe(Request.Admin admin, Session session) throws IOException {
        Topic topic = topics.topic(admin.name());
        if (topic == null) {
            session.reply(Status.NOT_FOUND, "there is no topic " + admin.name(), admin.opaque());
            return;
        }
        TopicConfig now = topics.settings(topic);
        StringBuilder lines = new StringBuilder();
        lines.append("name ").append(topic.name()).append("\r\npartitions ").append(topic.partitionCount());
        lines.append("\r\ndurability ").append(now.durableOnDisk() ? "disk" : "os");
        lines.append("\r\nkind ").append(now.queue() ? "queue" : "topic").append("\r\n");
        DESCRIBED.forEach(setting -> lines.append(setting.name())
                .append(' ')
                .append(now.get(setting))
                .append("\r\n"));
        topic.settings()
                .forEach((key, value) -> lines.append("set ")
                        .append(key)
                        .append(' ')
                        .append(value)
                        .append("\r\n"));
        for (Partition partition : topic.partitions()) {
            describe(partition, lines);
        }
        session.reply(Status.OK, lines.toString(), admin.opaque());
    }

    private static void describe(Partition partition, StringBuilder lines) throws IOException {
        lines.append("partition ").append(partition.name().partition());
        lines.append(" min ").append(partition.log().startOffset());
        lines.append(" max ").append(partition.log().endOffset());
        lines.append(" messages ").append(partition.log().messageCount());
        lines.append(" state ").append(state(partition)).append("\r\n");
    }

    private static String state(Partition partition) {
        if (partition.publishOpen()) {
            return partition.subscribeOpen() ? "open" : "closed-subscribe";
        }
        return partition.subscribeOpen() ? "closed-publish" : "closed";
    }

    private void list(Request.Admin admin, Session session) {
        Glob glob = new Glob(admin.name());
        StringBuilder lines = new StringBuilder();
        for (Topic topic : store.state().topics()) {
            if (glob.matches(topic.name())) {
                lines.append(topic.name())
                        .append(' ')
                        .append(topic.partitionCount())
                        .append("\r\n");
            }
        }
        session.reply(Status.OK, lines.toString(), admin.opaque());
    }
}
