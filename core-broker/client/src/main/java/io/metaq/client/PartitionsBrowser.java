package io.metaq.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pulls one partition after the other up to the end it had when its turn came. */
final class PartitionsBrowser implements TopicBrowser {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionsBrowser.class);
    private static final int FETCH_BYTES = 1 << 20;

    private final ClientCore core;
    private final Queue<TopicPartition> left;
    private @Nullable Puller puller;
    private long offset;
    private long end;
    private @Nullable FetchedBatch batch;
    private Iterator<Message> messages = Collections.emptyIterator();
    private boolean closed;

    PartitionsBrowser(ClientCore core, String topic, List<TopicPartition> partitions) {
        if (partitions.isEmpty()
                && core.route(topic, RouteSource.Use.SUBSCRIBE).entries().isEmpty()) {
            throw Failures.unknownTopic(topic, null, null, 404);
        }
        this.core = core;
        this.left = new ArrayDeque<>(partitions);
    }

    @Override
    public boolean hasNext() {
        if (closed) {
            throw new ClientClosedException("the browser", false);
        }
        while (!messages.hasNext()) {
            if (!moreOfPartition() && !nextPartition()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Message next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Message message = messages.next();
        message.payload().detach();
        return message;
    }

    private boolean nextPartition() {
        closePuller();
        TopicPartition partition = left.poll();
        if (partition == null) {
            return false;
        }
        Puller fresh = new PrefetchingPuller(core, partition);
        puller = fresh;
        offset = fresh.offsetOf(Start.first());
        end = fresh.offsetOf(Start.last());
        return true;
    }

    private boolean moreOfPartition() {
        closeBatch();
        Puller current = puller;
        if (current == null || offset >= end) {
            return false;
        }
        try {
            FetchedBatch next = current.fetch(offset, FETCH_BYTES, Duration.ZERO);
            batch = next;
            messages = next.iterator();
            // Retention may have moved us on; a broker that has nothing more to give ends the partition.
            offset = next.isEmpty() && next.offset() <= offset ? end : next.nextOffset();
        } catch (CorruptMessageException e) {
            LOG.warn("browser passes over damage: {}", e.getMessage());
            offset = e.nextOffset() > offset ? e.nextOffset() : end;
        }
        return true;
    }

    private void closeBatch() {
        FetchedBatch old = batch;
        batch = null;
        messages = Collections.emptyIterator();
        if (old != null) {
            old.close();
        }
    }

    private void closePuller() {
        Puller old = puller;
        puller = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        closeBatch();
        closePuller();
        core.forget(this);
    }
}
