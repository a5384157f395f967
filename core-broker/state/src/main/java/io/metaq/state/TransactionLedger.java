package io.metaq.state;

import io.metaq.log.file.StorageFullException;
import io.metaq.log.partition.OpenFiles;
import io.metaq.log.partition.PartitionLog;
import io.metaq.log.partition.PartitionLogConfig;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.Subscriptions;
import io.metaq.state.transaction.Ledger;
import io.metaq.state.transaction.TransactionOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Carries out on topics, subscriptions and producers what transactions come to. Writer thread. */
final class TransactionLedger implements Ledger {
    private static final int STAGING_SEGMENT_BYTES = 64 << 20;

    private final Path stagingDir;
    private final OpenFiles files;
    private final Topics topics;
    private final Subscriptions subscriptions;
    private final Producers producers;
    private final Appender appender;
    private volatile ReturnObserver observer = (subscription, ranges) -> {};

    TransactionLedger(
            Path stagingDir,
            OpenFiles files,
            Topics topics,
            Subscriptions subscriptions,
            Producers producers,
            Appender appender) {
        this.stagingDir = stagingDir;
        this.files = files;
        this.topics = topics;
        this.subscriptions = subscriptions;
        this.producers = producers;
        this.appender = appender;
    }

    /** Told of messages that are pending again since the transaction that acknowledged them was rolled back. */
    @FunctionalInterface
    interface ReturnObserver {
        /** @param ranges not to be changed */
        void returned(Subscription subscription, MessageRanges ranges);
    }

    void observe(ReturnObserver now) {
        observer = now;
    }

    @Override
    public Outcome checkTarget(int topicId, int partition) {
        return appender.checkTarget(topicId, partition);
    }

    @Override
    public Outcome checkPending(int subscriptionId, MessageRanges ranges) {
        return appender.checkPending(subscriptions.byId(subscriptionId), ranges);
    }

    @Override
    public void lock(int subscriptionId, MessageRanges ranges) {
        Subscription subscription = subscriptions.byId(subscriptionId);
        if (subscription != null) {
            subscriptions.lock(subscription, ranges);
        }
    }

    @Override
    public void acknowledge(int subscriptionId, MessageRanges ranges) throws IOException {
        Subscription subscription = subscriptions.byId(subscriptionId);
        if (subscription != null) {
            subscriptions.unlock(subscription, ranges);
            subscriptions.acknowledge(subscription, ranges);
        }
    }

    @Override
    public void giveBack(int subscriptionId, MessageRanges ranges) throws IOException {
        Subscription subscription = subscriptions.byId(subscriptionId);
        if (subscription == null) {
            return;
        }
        if (!readable(subscription, ranges)) {
            appender.flush(); // a replay has what was read before it was locked in the same batch
        }
        subscriptions.unlock(subscription, ranges);
        subscriptions.returned(subscription, ranges);
        observer.returned(subscription, ranges);
    }

    private static boolean readable(Subscription subscription, MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.to(i) > subscription.cursor(ranges.partition(i)).end()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void put(int topicId, int partition, ByteBuffer messages, int count, long timestampMs) throws IOException {
        appender.put(topicId, partition, messages, count, timestampMs);
    }

    @Override
    public @Nullable Place reserve(int topicId, int partition, int count, int bytes, long timestampMs)
            throws IOException {
        Partition target = topics.partition(topicId, partition);
        return target == null ? null : appender.reserve(target, count, bytes, timestampMs);
    }

    @Override
    public void fill(Place place, ByteBuffer messages) throws IOException {
        if (isThere(place)) {
            appender.fill(place, messages);
        }
    }

    @Override
    public void lose(Place place, long bytes) throws IOException {
        if (isThere(place)) {
            place.partition().files().lose(place.offset(), bytes);
        }
    }

    private boolean isThere(Place place) {
        PartitionName name = place.partition().name();
        Topic topic = topics.byName(name.topic());
        return topic != null && topic.partition(name.partition()) == place.partition();
    }

    @Override
    public void fillTemporary(int topicId, ByteBuffer messages, int count, long timestampMs) {
        appender.fillTemporary(topicId, messages, count, timestampMs);
    }

    @Override
    public void show() throws IOException {
        appender.show();
    }

    @Override
    public boolean full() {
        return appender.unwritten();
    }

    @Override
    public void write() throws IOException {
        appender.write();
    }

    @Override
    public void forEachLarge(ByteBuffer messages, LargeVisitor visitor) {
        LargeReferences.forEach(messages, visitor);
    }

    private Path folder(long transactionId) {
        return stagingDir.resolve(Long.toString(transactionId));
    }

    @Override
    public Partition openStaging(long transactionId) throws IOException {
        PartitionLog log = PartitionLog.open(
                folder(transactionId), PartitionLogConfig.ofSegmentBytes(STAGING_SEGMENT_BYTES), files);
        return new Partition(new PartitionName("transaction " + transactionId, 0), log);
    }

    @Override
    public void stage(Partition staging, ByteBuffer messages, int count, long timestampMs) throws IOException {
        appender.stage(staging, messages, count, timestampMs);
    }

    @Override
    public void flush(Partition staging) throws IOException {
        try {
            staging.files().flush();
        } catch (StorageFullException e) {
            appender.noRoom();
            throw e;
        }
    }

    @Override
    public void dropStaging(long transactionId, Partition staging) throws IOException {
        appender.forget(staging);
        topics.drop(staging, folder(transactionId));
    }

    @Override
    public @Nullable TransactionOutcome resent(long producerId, long sequence) {
        if (!producers.isOld(producerId, sequence)) {
            return null;
        }
        Producers.Stored first = producers.find(producerId, sequence, 1);
        if (first == null) {
            Outcome.Refused stale = Appender.stale(producerId, sequence);
            return new TransactionOutcome(TransactionOutcome.Code.REFUSED, 0, stale.reason(), stale.text(), true);
        }
        // A batch of messages or a local transaction has no code: it was done.
        int code = first.partition() == Producers.ENLISTED ? (int) first.offset() : 0;
        return new TransactionOutcome(
                TransactionOutcome.Code.values()[code], Math.max(0, first.firstId()), null, "", true);
    }

    @Override
    public void remember(long producerId, long sequence, TransactionOutcome outcome, long timestampMs) {
        producers.stored(
                producerId,
                new Producers.Stored(
                        sequence,
                        1,
                        outcome.id(),
                        Producers.ENLISTED,
                        outcome.code().ordinal()),
                timestampMs);
    }
}
