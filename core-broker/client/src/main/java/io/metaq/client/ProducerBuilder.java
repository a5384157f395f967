package io.metaq.client;

import java.time.Duration;

/** Settings of a producer. */
public final class ProducerBuilder {

    PartitionSelector selector = PartitionSelector.roundRobin();
    Durability durability = Durability.TOPIC;
    Duration timeout = Duration.ofSeconds(5);
    Duration linger = Duration.ZERO;
    long maxInFlightBytes = 32L << 20;
    int maxBatchBytes = 512 << 10;
    boolean idempotent = true;
    boolean failFast;
    boolean keepsTogether;
    int maxInFlightBatches = 4;

    private final ClientCore core;

    ProducerBuilder(ClientCore core) {
        this.core = core;
    }

    /** The same for another client, whose senders each wait for one message at a time: without a limit of bytes. */
    ProducerBuilder withoutLimit(ClientCore other) {
        ProducerBuilder same = new ProducerBuilder(other);
        same.durability = durability;
        same.timeout = timeout;
        same.linger = linger;
        same.maxInFlightBytes = Long.MAX_VALUE;
        same.maxBatchBytes = maxBatchBytes;
        same.idempotent = idempotent;
        same.maxInFlightBatches = maxInFlightBatches;
        same.keepsTogether = true;
        return same;
    }

    /**
     * How many batches that are not full may be on their way to a partition; 4 by default. With 1 the order of a partition is kept
     * even when a broker refuses a batch as busy and takes it later; with more, batches under way at that moment may overtake it.
     */
    public ProducerBuilder maxInFlightBatches(int batches) {
        if (batches < 1) {
            throw new IllegalArgumentException("maxInFlightBatches must be at least 1: " + batches);
        }
        maxInFlightBatches = batches;
        return this;
    }

    /** Who chooses partitions; {@link PartitionSelector#roundRobin()} by default. */
    public ProducerBuilder partitionSelector(PartitionSelector chooser) {
        selector = chooser;
        return this;
    }

    /** How safe messages have to be before they are answered; the topic's setting by default. 1.4 brokers always use theirs. */
    public ProducerBuilder durability(Durability wanted) {
        durability = wanted;
        return this;
    }

    /** From the send to its outcome, repetitions included; 5 s by default. */
    public ProducerBuilder timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    /** How long a batch waits for more messages; zero by default: batches are what queued while others were under way. */
    public ProducerBuilder linger(Duration wait) {
        linger = wait;
        return this;
    }

    /** Bytes that may wait for their outcome before {@code send} blocks (or fails, see {@link #failFast}); 32 MiB by default. */
    public ProducerBuilder maxInFlightBytes(long bytes) {
        maxInFlightBytes = bytes;
        return this;
    }

    /** Biggest batch; a bigger message travels alone. 512 KiB by default. */
    public ProducerBuilder maxBatchBytes(int bytes) {
        maxBatchBytes = bytes;
        return this;
    }

    /** Whether 2.x brokers recognise repeated batches, so that a lost answer makes no duplicate; true by default. */
    public ProducerBuilder idempotent(boolean wanted) {
        idempotent = wanted;
        return this;
    }

    /** Whether a send fails with {@link BrokerBusyException} instead of waiting when too much is under way; false by default. */
    public ProducerBuilder failFast(boolean wanted) {
        failFast = wanted;
        return this;
    }

    /**
     * A sender whose messages travel in batches with those of all others of this process that are made so: by clients that
     * {@link MetaqClientBuilder#shareConnections() share connections}, with the same user and settings.
     *
     * @throws IllegalStateException when the client does not share connections
     */
    public CommonSender common() {
        return core.newCommonSender(this);
    }

    public Producer build() {
        return core.newProducer(this);
    }
}
