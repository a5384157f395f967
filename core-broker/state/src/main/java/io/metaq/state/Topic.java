package io.metaq.state;

import io.metaq.log.partition.MessageLog;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A topic and its partitions. Changed on the writer thread only, read by any. */
public final class Topic {
    private final int id;
    private final String name;
    private final Kind kind;
    private volatile Partition[] partitions = new Partition[0];
    private volatile Map<String, String> settings;
    private final List<Subscription> transients = new CopyOnWriteArrayList<>();

    Topic(int id, String name, Map<String, String> settings) {
        this.id = id;
        this.name = name;
        this.settings = Map.copyOf(settings);
        this.kind = kind(settings);
    }

    /** What a topic is for. */
    public enum Kind {
        /** Each message goes to one consumer: the topic has exactly one subscription. */
        QUEUE,
        /** Each subscription gets every message. */
        TOPIC
    }

    /** The setting that says of which kind a topic is: {@code queue}, or {@code topic} as without it. */
    public static final String KIND = "kind";

    static Kind kind(Map<String, String> settings) {
        return "queue".equals(settings.get(KIND)) ? Kind.QUEUE : Kind.TOPIC;
    }

    /** Fixed when the topic is made. */
    public Kind kind() {
        return kind;
    }

    /** Whether it is kept in memory only, for as long as the connection that made it lives. */
    public boolean temporary() {
        return id < 0;
    }

    /** Number of the topic: never used again, not even for a topic of the same name; negative for a temporary one. */
    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    /** The topic's own settings, over those of the configuration file. */
    public Map<String, String> settings() {
        return settings;
    }

    public int partitionCount() {
        return partitions.length;
    }

    /** The partition, or null if the topic has none of this index. */
    public @Nullable Partition partition(int index) {
        Partition[] now = partitions;
        return index >= 0 && index < now.length ? now[index] : null;
    }

    /** The partitions by index; not to be changed. */
    public Partition[] partitions() {
        return partitions;
    }

    /**
     * Makes a subscription that is not journalled. Until {@link #unsubscribe} the topic keeps for it what its floor asks
     * for: messages of a temporary topic, entries of {@link Partition#scheduled()}. Any thread.
     */
    public Subscription subscribe(SubscriptionInfo info, Start start) throws IOException {
        synchronized (transients) { // the topic may be growing
            Subscription made = Subscription.transientOf(info, logs(), start);
            transients.add(made);
            return made;
        }
    }

    /** Ends a subscription of {@link #subscribe}. Any thread. */
    public void unsubscribe(Subscription subscription) {
        transients.remove(subscription);
    }

    /** That of a temporary queue, which it has from its beginning. */
    Subscription queueSubscription() {
        return transients.get(0);
    }

    /** The topic is deleted: so are its subscriptions. */
    void end() {
        transients.forEach(Subscription::end);
    }

    /** The subscriptions that are not journalled. */
    List<Subscription> transients() {
        return transients;
    }

    /** Where the first messages of all partitions are now, for a change that is about to be proposed. May read files. */
    public Start first() throws IOException {
        return Start.firstOf(logs());
    }

    long transientFloor(int partition) {
        long lowest = Long.MAX_VALUE;
        for (Subscription subscription : transients) {
            if (partition < subscription.partitionCount()) {
                lowest = Math.min(lowest, subscription.cursor(partition).floor());
            }
        }
        return lowest;
    }

    MessageLog[] logs() {
        Partition[] now = partitions;
        MessageLog[] logs = new MessageLog[now.length];
        for (int i = 0; i < now.length; i++) {
            logs[i] = now[i].log();
        }
        return logs;
    }

    void settings(Map<String, String> now) {
        settings = Map.copyOf(now);
    }

    void partitions(Partition[] now) throws IOException {
        synchronized (transients) {
            int before = partitions.length;
            partitions = now;
            for (Subscription subscription : transients) {
                for (int i = before; i < now.length; i++) {
                    subscription.grow(now[i].log(), Start.FIRST);
                }
            }
        }
    }
}
