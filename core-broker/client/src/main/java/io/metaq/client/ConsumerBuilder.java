package io.metaq.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Settings of a consumer. {@link #subscribe} at least once, then {@link #start()}. */
public final class ConsumerBuilder {

    final String group;
    final Map<String, MessageListener> listeners = new LinkedHashMap<>();
    Start firstStart = Start.first();

    @Nullable
    Start everyStart;

    int fetchSize = 1 << 20;
    int maxRetries = 5;
    Duration retryDelay = Duration.ofMillis(100);
    Duration maxRetryDelay = Duration.ofSeconds(30);
    Duration longPoll = Duration.ofSeconds(10);
    Duration maxIdleDelay = Duration.ofSeconds(1);
    Duration commitInterval = Duration.ofSeconds(1);
    RejectHandler rejectHandler = RejectHandler.skip();

    @Nullable
    Executor executor;

    int maxParallelMessages = 1000;
    boolean borrowPayloads;

    @Nullable
    OffsetStore offsetStore;

    boolean offsetsInZooKeeper;
    boolean balanced = true;
    BalanceRule balanceRule = BalanceRule.RANGE;

    @Nullable
    List<TopicPartition> partitions;

    @Nullable
    Path broadcast;

    @Nullable
    String memberName;

    private final ClientCore core;

    ConsumerBuilder(ClientCore core, String group) {
        TopicNames.checkGroup(group);
        this.core = core;
        this.group = group;
    }

    /** Reads a topic. A second listener for the same topic is refused. */
    public ConsumerBuilder subscribe(String topic, MessageListener listener) {
        TopicNames.check(topic);
        if (listeners.putIfAbsent(topic, listener) != null) {
            throw new IllegalArgumentException("topic " + topic + " is subscribed already");
        }
        return this;
    }

    /** Where to begin a partition of which the group has stored nothing; the first message by default. */
    public ConsumerBuilder startAt(Start start) {
        firstStart = start;
        return this;
    }

    /** Where to begin at every start of this consumer, whatever the group has stored: {@code Start.last()} for "only new ones". */
    public ConsumerBuilder startAlwaysAt(Start start) {
        everyStart = start;
        return this;
    }

    /** Bytes per fetch; 1 MiB by default. Two fetches per partition are kept at most. */
    public ConsumerBuilder fetchSize(int bytes) {
        fetchSize = bytes;
        return this;
    }

    /** How long a 2.x broker may hold a fetch at the end of the log; 10 s by default. */
    public ConsumerBuilder longPoll(Duration wait) {
        longPoll = wait;
        return this;
    }

    /** Longest pause between fetches at the end of the log of a 1.4 broker; 1 s by default. */
    public ConsumerBuilder maxIdleDelay(Duration delay) {
        maxIdleDelay = delay;
        return this;
    }

    /** Failed deliveries of a message after the first, before {@link #rejectHandler} decides; 5 by default. */
    public ConsumerBuilder maxRetries(int retries) {
        maxRetries = retries;
        return this;
    }

    /** Delay before the first retry and the limit to which it doubles; 100 ms and 30 s by default. */
    public ConsumerBuilder retryDelay(Duration first, Duration limit) {
        retryDelay = first;
        maxRetryDelay = limit;
        return this;
    }

    /** What to do with messages that failed for good; {@link RejectHandler#skip()} by default. */
    public ConsumerBuilder rejectHandler(RejectHandler handler) {
        rejectHandler = handler;
        return this;
    }

    /**
     * Runs listeners on this executor, messages of one partition in parallel too; offsets move only over messages that are done
     * without a gap. Stays the caller's to shut down. Without it, messages come one after the other on the consumer's thread.
     *
     * @param maxParallel messages per partition given to the executor at a time
     */
    public ConsumerBuilder executor(Executor runner, int maxParallel) {
        executor = runner;
        maxParallelMessages = maxParallel;
        return this;
    }

    /** {@link #executor(Executor, int)} with up to 1000 messages per partition. */
    public ConsumerBuilder executor(Executor runner) {
        return executor(runner, 1000);
    }

    /**
     * Lends listeners the fetched bytes instead of giving each message a copy of its own, which is the larger part of what a message
     * costs in a backlog. A message and its {@link Message#buffer()} are then good until its listener returns, or closes the consumer;
     * {@link Message#data()} makes a copy that stays. Not together with an {@link #executor}.
     */
    public ConsumerBuilder borrowPayloads() {
        borrowPayloads = true;
        return this;
    }

    /** Keeps offsets here; by default in the broker, or in ZooKeeper if the broker is of 1.4. Stays the caller's to close. */
    public ConsumerBuilder offsetStore(OffsetStore store) {
        offsetStore = store;
        return this;
    }

    /** Keeps offsets in ZooKeeper, where 1.4 clients of the same group look for them. Needs a client with ZooKeeper. */
    public ConsumerBuilder offsetsInZooKeeper() {
        offsetsInZooKeeper = true;
        return this;
    }

    /** How often offsets of finished messages are stored; 1 s by default. */
    public ConsumerBuilder commitInterval(Duration interval) {
        commitInterval = interval;
        return this;
    }

    /** Whether members of the group share the partitions; true by default. If false this consumer reads all of them. */
    public ConsumerBuilder balanced(boolean wanted) {
        balanced = wanted;
        return this;
    }

    /** How members that meet in ZooKeeper split partitions, the same for all of a group; ranges by default, as in 1.4. */
    public ConsumerBuilder balanceRule(BalanceRule rule) {
        balanceRule = rule;
        return this;
    }

    /** Reads exactly these partitions, not balanced. Their topics have to be subscribed. */
    public ConsumerBuilder partitions(List<TopicPartition> fixed) {
        partitions = List.copyOf(fixed);
        balanced = false;
        return this;
    }

    /**
     * Every instance gets every message. Offsets are kept in files of this instance.
     *
     * @param directory of its own for each instance; without it a restart would begin anew
     */
    public ConsumerBuilder broadcast(Path directory) {
        broadcast = directory;
        balanced = false;
        return this;
    }

    /** Name of this member in the group; unique, no blanks. By default made of host, process and a random part. */
    public ConsumerBuilder memberName(String name) {
        memberName = name;
        return this;
    }

    /**
     * Starts consuming.
     *
     * @throws IllegalStateException for settings that contradict each other
     */
    public Consumer start() {
        if (listeners.isEmpty()) {
            throw new IllegalStateException("subscribe to a topic before start()");
        }
        if (borrowPayloads && executor != null) {
            throw new IllegalStateException(
                    "borrowed payloads end with the listener's return on the consumer's thread: leave out the executor");
        }
        return core.startConsumer(this);
    }
}
