package io.metaq.state.dispatch;

import io.metaq.log.file.Storage;
import io.metaq.log.partition.OpenFiles;
import io.metaq.message.HeaderField;
import io.metaq.message.InvalidSelectorException;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.message.Selector;
import io.metaq.state.BrokerState;
import io.metaq.state.Topic;
import io.metaq.state.record.Acknowledged;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.RecordType;
import io.metaq.state.record.TransactionRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A dispatch over a real state and real partition logs, in one thread: what it asks of the journal is applied when the
 * test says so, time stands still until it is moved.
 */
class World implements Effects {
    static final long START_MS = 1_000_000;

    final BrokerState state;
    final List<Move> moves = new ArrayList<>();
    final List<Change.DeliveredMark> marks = new ArrayList<>();
    RedeliveryPolicy policy = new RedeliveryPolicy(0, 0, 1, 0, null, null);
    long nowMs = START_MS;
    int acknowledgeRecords;
    int expired;
    int idle;
    boolean journalFails;

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final TreeMap<Long, List<Runnable>> timers = new TreeMap<>();
    private final Scratch scratch = new Scratch();
    private @Nullable Deque<Runnable> heldBack;
    private long position;
    private Subscription subscription;
    private @Nullable Dispatch current;

    World(Path dir) throws IOException {
        state = new BrokerState(dir, new OpenFiles(Storage.disk(), 100), topic -> 1 << 20);
        change(new Change.BrokerFounded(1));
        change(new Change.TopicCreated("Q", 1, Map.of(Topic.KIND, "queue")));
        subscription = Objects.requireNonNull(state.subscription("queue:Q"));
    }

    Dispatch dispatch() {
        if (current == null) {
            current = new Dispatch(subscription, topic(), this, scratch);
        }
        return current;
    }

    /** The same for another subscription. */
    Dispatch dispatch(String name) {
        subscription = Objects.requireNonNull(state.subscription(name));
        current = new Dispatch(subscription, topic(), this, scratch);
        return current;
    }

    /** A dispatch that knows nothing of the one before, as after a restart. */
    Dispatch anew() {
        state.recovered();
        if (current != null) {
            current.close(); // else it would hear of new messages, and deliver them
        }
        current = null;
        tasks.clear();
        timers.clear();
        return dispatch();
    }

    Topic topic() {
        return Objects.requireNonNull(state.topic(subscription.info().topicId()));
    }

    Subscription subscription() {
        return subscription;
    }

    void change(Change change) {
        apply(change.type(), change.encode());
    }

    /** Enlists acknowledgements in the transaction of this key. */
    void enlist(String key, EnlistedRecord.Then then, MessageRanges ranges) {
        TransactionRecord parts = new TransactionRecord(
                0, 0, nowMs, List.of(), List.of(new TransactionRecord.Acknowledgements(subscription.id(), ranges)));
        apply(
                RecordType.TRANSACTION_ENLISTED,
                new EnlistedRecord(EnlistedRecord.ANY, then, 0, key, "test", parts).encode());
    }

    /** A step of the only transaction there is. */
    void step(TransactionStep.Kind kind) {
        long id = state.transactions().all().iterator().next().id();
        apply(kind.type(), new TransactionStep(kind, id, nowMs).encode());
    }

    private void apply(byte type, ByteBuffer body) {
        try {
            state.apply(position, 1, type, body, null);
            position += 100;
            state.endOfBatch(position);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stores one message whose payload is the text. */
    void send(String text) {
        send(text, new PropertyBlockWriter());
    }

    void send(String text, PropertyBlockWriter block) {
        sendTo(topic(), 0, message(text, block), 1);
    }

    void sendTo(Topic topic, int partition, ByteBuffer messages, int count) {
        ByteBuffer record = ByteBuffer.allocate(MessageRecord.HEAD_BYTES + messages.remaining());
        new MessageRecord(topic.id(), partition, nowMs, 0, 0, count).write(record);
        apply(RecordType.MESSAGES, record.put(messages).flip());
    }

    /** Stores many in one record. */
    void sendMany(int count, IntFunction<ByteBuffer> message) {
        List<ByteBuffer> all = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            all.add(message.apply(i));
            bytes += all.get(i).remaining();
        }
        ByteBuffer joined = ByteBuffer.allocate(bytes);
        all.forEach(joined::put);
        sendTo(topic(), 0, joined.flip(), count);
    }

    static ByteBuffer message(String text, PropertyBlockWriter block) {
        byte[] body = block.join(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        CRC32 crc = new CRC32();
        crc.update(body);
        return ByteBuffer.allocate(20 + body.length)
                .putInt(body.length)
                .putInt((int) crc.getValue() & 0x7FFFFFFF)
                .putLong(0)
                .putInt(block.flags())
                .put(body)
                .flip();
    }

    static PropertyBlockWriter priority(int priority) {
        return new PropertyBlockWriter().header(HeaderField.PRIORITY, priority);
    }

    PropertyBlockWriter delay(long ms) {
        return new PropertyBlockWriter().header(HeaderField.DELIVERY_TIME, nowMs + ms);
    }

    PropertyBlockWriter expiresIn(long ms) {
        return new PropertyBlockWriter().header(HeaderField.EXPIRATION, nowMs + ms);
    }

    static PropertyBlockWriter group(String group) {
        return new PropertyBlockWriter().header(HeaderField.GROUP_ID, group);
    }

    static PropertyBlockWriter property(String name, Object value) {
        return new PropertyBlockWriter().property(name, value);
    }

    static Selector selector(String text) {
        try {
            return Selector.parse(text);
        } catch (InvalidSelectorException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Does all that is to be done now. */
    void run() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Lets time pass, and what becomes due happen at its time. */
    void advance(long ms) {
        run();
        long until = nowMs + ms;
        while (!timers.isEmpty() && timers.firstKey() <= until) {
            Map.Entry<Long, List<Runnable>> next = timers.pollFirstEntry();
            nowMs = Math.max(nowMs, next.getKey());
            tasks.addAll(next.getValue());
            run();
        }
        nowMs = until;
        run();
    }

    /** The journal answers nothing until {@link #releaseJournal}. */
    void holdJournal() {
        heldBack = new ArrayDeque<>();
    }

    boolean journalHeld() {
        return heldBack != null;
    }

    void releaseJournal() {
        Deque<Runnable> held = Objects.requireNonNull(heldBack);
        heldBack = null;
        held.forEach(Runnable::run);
        run();
    }

    private void journal(Runnable apply, Completion completion) {
        boolean fails = journalFails;
        Runnable step = () -> {
            if (!fails) {
                apply.run();
            }
            tasks.add(() -> completion.done(fails ? new IOException("the journal takes nothing") : null));
        };
        if (heldBack != null) {
            heldBack.add(step);
        } else {
            step.run();
        }
    }

    @Override
    public long nowMs() {
        return nowMs;
    }

    @Override
    public RedeliveryPolicy policy() {
        return policy;
    }

    @Override
    public void soon(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Runnable at(long timeMs, Runnable task) {
        timers.computeIfAbsent(timeMs, t -> new ArrayList<>()).add(task);
        return () -> {
            List<Runnable> due = timers.get(timeMs);
            if (due != null) {
                due.remove(task);
            }
        };
    }

    @Override
    public void acknowledge(MessageRanges ranges, Completion completion) {
        acknowledgeRecords++;
        journal(() -> apply(RecordType.ACKNOWLEDGED, Acknowledged.encode(subscription.id(), ranges)), completion);
    }

    @Override
    public void returned(int partition, long[] offsets, long[] notBeforeMs) {
        List<Change.ReturnedMessage> messages = new ArrayList<>();
        for (int i = 0; i < offsets.length; i++) {
            messages.add(new Change.ReturnedMessage(offsets[i], notBeforeMs[i]));
        }
        journal(() -> change(new Change.Returned(subscription.id(), partition, messages)), failure -> {});
    }

    @Override
    public void mark(int partition, long offset, Completion completion) {
        Change.DeliveredMark mark = new Change.DeliveredMark(subscription.id(), partition, offset);
        marks.add(mark);
        journal(() -> change(mark), completion);
    }

    @Override
    public void move(Move move, Completion completion) {
        moves.add(move);
        Topic target = state.topic(move.target());
        if (target == null) {
            tasks.add(() -> completion.done(new IOException("no such queue")));
            return;
        }
        ByteBuffer record = ByteBuffer.allocate(MovedRecord.HEAD_BYTES
                + MessageRecord.HEAD_BYTES
                + move.message().remaining());
        new MovedRecord(subscription.id(), move.partition(), move.from(), move.to(), 1).write(record);
        new MessageRecord(target.id(), 0, nowMs, 0, 0, 1).write(record);
        record.put(move.message().duplicate()).flip();
        journal(() -> apply(RecordType.MOVED, record), completion);
    }

    @Override
    public void expired(int messages) {
        expired += messages;
    }

    @Override
    public void idle() {
        idle++;
    }

    @Override
    public void unreadable(int partition, IOException cause) {
        throw new UncheckedIOException(cause);
    }
}
