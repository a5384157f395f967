package io.metaq.broker.command;

import io.metaq.broker.net.Session;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.broker.store.Store;
import io.metaq.broker.subscription.Refused;
import io.metaq.broker.transaction.OwnTransactions;
import io.metaq.broker.transaction.Transactions;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.StoredMessage;
import io.metaq.protocol.TransactionKey;
import io.metaq.state.EnlistProposal;
import io.metaq.state.Outcome;
import io.metaq.state.Partition;
import io.metaq.state.Refusal;
import io.metaq.state.Topic;
import io.metaq.state.TransactionProposal;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.transaction.Transaction;
import io.metaq.state.transaction.TransactionOutcome;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code put} with the key of a transaction: the message is kept until that ends. The texts are 1.4's. */
final class TransactionalPut {
    /** The number of a message is given when its transaction commits, its place too. */
    private static final long NOT_NUMBERED = 0;

    private static final long NOT_PLACED = -1;

    private final Store store;
    private final TopicCatalog topics;
    private final DiskGuard disk;
    private final BrokerCounters counters;
    private final ErrorTexts texts;
    private final Transactions transactions;

    TransactionalPut(HandlerContext context, Transactions transactions) {
        this.store = context.store();
        this.topics = context.topics();
        this.disk = context.disk();
        this.counters = context.counters();
        this.texts = context.texts();
        this.transactions = transactions;
    }

    void put(Request.Put put, String token, Session session) {
        try {
            if (disk.refuses()) {
                throw new Refused(Status.STORAGE_FULL, "the broker's disk is full: make room");
            }
            Transaction transaction = transaction(token, session);
            if (put.partition() == Request.ANY_PARTITION) {
                throw new Refused(Status.FAILED, "Invalid partition for transaction command:-1");
            }
            Topic topic = topics.topic(put.topic());
            if (topic == null) {
                create(put, token, session);
                return;
            }
            check(put, topic);
            enlist(put, topic, transaction, session);
        } catch (Refused e) {
            refuse(put, e, session);
        }
    }

    private Transaction transaction(String token, Session session) {
        TransactionKey key;
        try {
            key = TransactionKey.parse(token);
        } catch (IllegalArgumentException e) {
            throw new Refused(Status.FAILED, "'" + token + "' is not a transaction key");
        }
        Transaction found = transactions
                .table()
                .find(OwnTransactions.of(session, transactions).key(key));
        if (found == null || found.phase() != Transaction.Phase.ACTIVE) {
            throw new Refused(Status.FAILED, TransactionAnswers.notStarted(key.token()));
        }
        return found;
    }

    private void create(Request.Put put, String token, Session session) {
        Optional<Change.TopicCreated> creation = topics.onFirstMessage(put.topic());
        if (creation.isEmpty()) {
            throw new Refused(Status.FAILED, "The server do not accept topic " + put.topic());
        }
        session.hold();
        store.change(creation.get(), Durability.DISK)
                .whenComplete((outcome, failure) -> session.later(() -> {
                    if (failure != null) {
                        refuse(put, new Refused(ErrorTexts.status(failure), ErrorTexts.text(failure)), session);
                    } else if (outcome instanceof Outcome.Refused no && no.reason() != Refusal.EXISTS) {
                        refuse(put, new Refused(ErrorTexts.status(no.reason()), no.text()), session);
                    } else {
                        put(put, token, session);
                    }
                    session.release();
                }));
    }

    private void check(Request.Put put, Topic topic) {
        Partition partition = topic.partition(put.partition());
        if (partition == null) {
            throw new Refused(Status.FAILED, "wrong partition " + put.partition());
        } else if (topic.temporary()) {
            throw new Refused(Status.FAILED, topic.name() + " is temporary: send to it without a transaction");
        } else if (!partition.publishOpen()) {
            throw new Refused(Status.FORBIDDEN, texts.publishClosed(put.partition()));
        } else if (!topics.settings(topic).acceptPublish()) {
            throw new Refused(Status.FORBIDDEN, "the topic takes no messages (acceptPublish=false)");
        } else if (put.checksum() != Request.NO_CHECKSUM && put.checksum() != StoredMessage.checksum(put.body())) {
            throw new Refused(Status.FAILED, ProduceHandler.CHECKSUM_FAILURE);
        }
    }

    private void enlist(Request.Put put, Topic topic, Transaction transaction, Session session) {
        ByteBuffer message = TemporaryProduce.stored(StoredMessage.checksum(put.body()), put.flag(), put.body());
        int bytes = put.body().readableBytes();
        put.release();
        session.taken(bytes);
        TransactionProposal.Parts parts =
                new TransactionProposal.Parts().messages(topic.id(), put.partition(), 1, message);
        EnlistProposal.Target target = new EnlistProposal.Target(
                transaction.key(), transaction.id(), EnlistedRecord.Then.NOTHING, 0, transaction.owner());
        transactions
                .enlist(new Transactions.Addition(target, parts))
                .whenComplete((outcome, failure) -> session.later(() -> {
                    answer(put, bytes, outcome, failure, session);
                    session.written(bytes);
                }));
    }

    private void answer(
            Request.Put put,
            int bytes,
            @Nullable TransactionOutcome outcome,
            @Nullable Throwable failure,
            Session session) {
        if (outcome != null && outcome.done()) {
            counters.put(put.topic(), 1, bytes);
            session.stored(NOT_NUMBERED, put.partition(), NOT_PLACED, put.opaque());
            return;
        }
        counters.add(put.topic(), BrokerCounters.Item.PUT_FAILED);
        if (outcome != null) {
            session.reply(Status.FAILED, outcome.text(), put.opaque());
        } else if (failure != null) {
            session.reply(ErrorTexts.status(failure), ErrorTexts.text(failure), put.opaque());
        }
    }

    private void refuse(Request.Put put, Refused refused, Session session) {
        put.release();
        counters.add(put.topic(), BrokerCounters.Item.PUT_FAILED);
        session.reply(refused.status(), refused.text(), put.opaque());
    }
}
