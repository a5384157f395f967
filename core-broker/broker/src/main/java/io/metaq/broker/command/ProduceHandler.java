package io.metaq.broker.command;

import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.DamagedMessageException;
import io.metaq.protocol.MessageCursor;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.StoredMessage;
import io.metaq.state.Outcome;
import io.metaq.state.Partition;
import io.metaq.state.Refusal;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import io.metaq.state.record.MessageRecord;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** {@code put}, {@code append}, and {@code sync} as far as it is refused. */
final class ProduceHandler implements CommandHandler {
    /** 1.4's words. */
    static final String CHECKSUM_FAILURE = "Checksum failure,message may be corrupted when transfering on networking.";

    private final Store store;
    private final TopicCatalog topics;
    private final DiskGuard disk;
    private final BrokerCounters counters;
    private final ErrorTexts texts;
    private final Clock clock;
    private final TemporaryProduce temporary;
    private final TransactionalPut transactional;

    ProduceHandler(HandlerContext context, TransactionalPut transactional) {
        this.store = context.store();
        this.topics = context.topics();
        this.disk = context.disk();
        this.counters = context.counters();
        this.texts = context.texts();
        this.clock = context.clock();
        this.temporary = new TemporaryProduce(context);
        this.transactional = transactional;
    }

    /** Where messages are to go. */
    private record Target(Topic topic, int partition, TopicConfig settings) {}

    /** A refusal: what to answer. */
    private record Refused(Status status, int partition, String detail) {}

    @Override
    public void handle(Request request, Session session) {
        if (request instanceof Request.Put put) {
            put(put, session);
        } else if (request instanceof Request.Append append) {
            append(append, session);
        } else {
            request.release();
            session.reply(
                    Status.BUSY,
                    "this broker is no synchronous slave of MetaQ 1.4: replication works otherwise now",
                    request.opaque());
        }
    }

    private void put(Request.Put put, Session session) {
        String transaction = put.transactionKey();
        if (transaction != null) {
            transactional.put(put, transaction, session);
            return;
        }
        Target target = target(put, put.topic(), put.partition(), session);
        if (target == null) {
            return;
        }
        int checksum = StoredMessage.checksum(put.body());
        if (put.checksum() != Request.NO_CHECKSUM && put.checksum() != checksum) {
            refuse(put, put.topic(), new Refused(Status.FAILED, target.partition(), CHECKSUM_FAILURE), session);
            return;
        }
        if (target.topic().temporary()) {
            temporary.append(
                    put, target.topic(), TemporaryProduce.stored(checksum, put.flag(), put.body()), 1, session);
            return;
        }
        session.taken(put.body().readableBytes());
        MessageRecord record = new MessageRecord(target.topic().id(), target.partition(), clock.millis(), 0, 0, 1);
        ByteBuf body = put.body();
        store.propose(new ProduceProposal(
                origin(session, put.opaque(), put.topic()),
                record,
                durability(target.settings()),
                checksum,
                put.flag(),
                body,
                contiguous(body)));
    }

    private void append(Request.Append append, Session session) {
        Target target = target(append, append.topic(), append.partition(), session);
        if (target == null) {
            return;
        }
        String fault = complete(append.body(), append.count());
        if (fault != null) {
            refuse(append, append.topic(), new Refused(Status.BAD_REQUEST, target.partition(), fault), session);
            return;
        }
        if (target.topic().temporary()) {
            temporary.append(append, target.topic(), contiguous(append.body()), append.count(), session);
            return;
        }
        session.taken(append.body().readableBytes());
        MessageRecord record = new MessageRecord(
                target.topic().id(),
                target.partition(),
                clock.millis(),
                append.idempotent() ? append.producerId() : 0,
                append.idempotent() ? append.sequence() : 0,
                append.count());
        store.propose(new ProduceProposal(
                origin(session, append.opaque(), append.topic()),
                record,
                durability(append, target.settings()),
                append.body(),
                contiguous(append.body())));
    }

    /** Checks the messages and fills in checksums left out; says what is wrong, or null. */
    static @Nullable String complete(ByteBuf body, int count) {
        MessageCursor cursor = new MessageCursor(body);
        int found = 0;
        try {
            while (cursor.next()) {
                found++;
                if (cursor.checksum() == Request.NO_CHECKSUM) {
                    cursor.setChecksum(StoredMessage.checksum(cursor.body()));
                } else if (!cursor.intact()) {
                    return "message " + found + " of the batch: " + CHECKSUM_FAILURE;
                }
            }
        } catch (DamagedMessageException e) {
            return "message " + (found + 1) + " of the batch: " + e.getMessage();
        }
        if (found != count || cursor.consumed() != body.readableBytes()) {
            return "the batch says " + count + " messages in " + body.readableBytes() + " bytes, but holds " + found
                    + " whole ones in " + cursor.consumed();
        }
        return count == 0 ? "a batch holds at least one message" : null;
    }

    /** Finds where the messages go; null if the request was answered, or held until its topic is there. */
    private @Nullable Target target(Request request, String name, int asked, Session session) {
        if (disk.refuses()) {
            refuse(
                    request,
                    name,
                    new Refused(
                            Status.STORAGE_FULL,
                            asked,
                            "the broker's disk is full: send to another broker, or make room"),
                    session);
            return null;
        }
        Topic topic = topics.topic(name);
        if (topic == null) {
            createOrRefuse(request, name, asked, session);
            return null;
        }
        TopicConfig settings = topics.settings(topic);
        int partition = asked == Request.ANY_PARTITION ? anyOpen(topic) : asked;
        Refused refused = check(topic, settings, partition);
        if (refused != null) {
            refuse(request, name, refused, session);
            return null;
        }
        return new Target(topic, partition, settings);
    }

    private @Nullable Refused check(Topic topic, TopicConfig settings, int partition) {
        Partition found = topic.partition(partition);
        if (partition == Request.ANY_PARTITION) {
            return new Refused(Status.FORBIDDEN, partition, "all partitions of the topic have been closed");
        } else if (found == null) {
            return new Refused(Status.FAILED, partition, "wrong partition " + partition);
        } else if (!found.publishOpen()) {
            return new Refused(Status.FORBIDDEN, partition, texts.publishClosed(partition));
        } else if (!settings.acceptPublish()) {
            return new Refused(Status.FORBIDDEN, partition, "the topic takes no messages (acceptPublish=false)");
        }
        return null;
    }

    /** A partition that takes messages, at random, or {@link Request#ANY_PARTITION} if there is none. */
    private static int anyOpen(Topic topic) {
        Partition[] partitions = topic.partitions();
        int first = ThreadLocalRandom.current().nextInt(partitions.length);
        for (int i = 0; i < partitions.length; i++) {
            Partition candidate = partitions[(first + i) % partitions.length];
            if (candidate.publishOpen()) {
                return candidate.name().partition();
            }
        }
        return Request.ANY_PARTITION;
    }

    private void createOrRefuse(Request request, String name, int asked, Session session) {
        if (TemporaryTopics.isTemporary(name)) {
            request.release();
            session.reply(Status.NOT_FOUND, "there is no temporary destination " + name, request.opaque());
            return;
        }
        Optional<Change.TopicCreated> creation = topics.onFirstMessage(name);
        if (creation.isEmpty()) {
            refuse(request, name, new Refused(Status.FAILED, asked, "The server do not accept topic " + name), session);
            return;
        }
        // Held, so that what this client sends next does not overtake this message.
        session.hold();
        store.change(creation.get(), Durability.DISK)
                .whenComplete((outcome, failure) -> session.later(() -> {
                    created(request, name, asked, outcome, failure, session);
                    session.release();
                }));
    }

    private void created(
            Request request,
            String name,
            int asked,
            @Nullable Outcome outcome,
            @Nullable Throwable failure,
            Session session) {
        if (failure != null) {
            refuse(request, name, new Refused(ErrorTexts.status(failure), asked, ErrorTexts.text(failure)), session);
        } else if (outcome instanceof Outcome.Refused refused && refused.reason() != Refusal.EXISTS) {
            refuse(request, name, new Refused(ErrorTexts.status(refused.reason()), asked, refused.text()), session);
        } else {
            handle(request, session);
        }
    }

    private void refuse(Request request, String topic, Refused refused, Session session) {
        request.release();
        counters.add(topic, BrokerCounters.Item.PUT_FAILED);
        session.reply(
                refused.status(), texts.putFailed(topic, refused.partition(), refused.detail()), request.opaque());
    }

    private ProduceProposal.Origin origin(Session session, int opaque, String topic) {
        return new ProduceProposal.Origin(session, opaque, topic, counters, texts);
    }

    private static Durability durability(TopicConfig settings) {
        return settings.durableOnDisk() ? Durability.DISK : Durability.OS;
    }

    private static Durability durability(Request.Append append, TopicConfig settings) {
        return switch (append.durability()) {
            case OS -> Durability.OS;
            case DISK -> Durability.DISK;
            case TOPIC -> durability(settings);
        };
    }

    private static ByteBuffer contiguous(ByteBuf body) {
        // A body in several pieces is rare (it came in over a long time): one copy then, none otherwise.
        return body.nioBufferCount() == 1 ? body.nioBuffer() : ByteBuffer.wrap(copy(body));
    }

    private static byte[] copy(ByteBuf body) {
        byte[] bytes = new byte[body.readableBytes()];
        body.getBytes(body.readerIndex(), bytes);
        return bytes;
    }
}
