package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.partition.MessageLog;
import io.metaq.state.StateFixture.Entry;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.RecordType;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.Cursor;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import io.metaq.state.subscription.SubscriptionInfo.Kind;
import io.metaq.state.transaction.RolledBack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A random history of queues, subscriptions and transactions; what it leaves must follow from its records alone. */
class SubscriptionReplayTest {
    private static final int SEEDS = 12;
    private static final int STEPS = 400;

    @TempDir
    Path dir;

    @Test
    void shouldBeTheSameByReplayInWhateverBatches() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            StateFixture live = live(seed, random);
            byte[] expected = live.state.snapshot();
            StateFixture replayed = new StateFixture(dir.resolve("replayed" + seed));
            replayed.replay(live.journal, 1 + random.nextInt(40));
            assertThat(replayed.state.snapshot()).as("seed %d", seed).isEqualTo(expected);
            assertSameMessages(live, replayed, "seed " + seed);
            live.state.close();
            replayed.state.close();
        }
    }

    @Test
    void shouldBeTheSameFromACheckpointWithPartitionLogsRunAhead() throws IOException {
        for (long seed = 1_000; seed < 1_000 + SEEDS; seed++) {
            Random random = new Random(seed);
            StateFixture live = live(seed, random);
            byte[] expected = live.state.snapshot();
            int size = live.journal.size();
            int cut = 1 + random.nextInt(size - 1);
            Path second = dir.resolve("second" + seed);
            StateFixture before = new StateFixture(second);
            before.replay(live.journal.subList(0, cut), 7);
            byte[] checkpoint = before.state.snapshot();
            List<Entry> ahead = live.journal.subList(cut, Math.min(size, cut + random.nextInt(100)));
            before.replay(ahead, 7);
            before.state.close();
            StateFixture after = new StateFixture(second);
            assertThat(after.state.restore(checkpoint)).isEqualTo(cut);
            after.replay(live.journal.subList(cut, size), 1 + random.nextInt(20));
            String what = "seed " + seed + " cut " + cut;
            assertThat(subscriptions(after)).as(what).isEqualTo(subscriptions(live));
            if (ahead.stream().noneMatch(entry -> entry.type() == RecordType.PARTITION_TRIMMED)) {
                assertThat(after.state.snapshot()).as(what).isEqualTo(expected);
                assertSameMessages(live, after, what);
            }
            live.state.close();
            after.state.close();
        }
    }

    /** Where files were trimmed after the checkpoint new ones may begin elsewhere; subscriptions do not depend on files. */
    private static List<String> subscriptions(StateFixture fixture) {
        List<String> all = new ArrayList<>();
        for (Subscription subscription : fixture.state.subscriptions()) {
            StringBuilder text =
                    new StringBuilder(subscription.id() + " " + subscription.info() + " " + subscription.paused());
            for (int i = 0; i < subscription.partitionCount(); i++) {
                Cursor cursor = subscription.cursor(i);
                text.append(" | ").append(cursor.floor()).append(' ').append(cursor.depth());
                text.append(' ').append(cursor.deliveredMark()).append(' ').append(cursor.rangeCount());
                cursor.forEachReturned((offset, count, notBefore) -> text.append(' ')
                        .append(offset)
                        .append('x')
                        .append(count)
                        .append('@')
                        .append(notBefore));
            }
            all.add(text.toString());
        }
        return all;
    }

    private static void assertSameMessages(StateFixture one, StateFixture other, String what) throws IOException {
        for (Topic topic : one.state.topics()) {
            for (Partition partition : topic.partitions()) {
                Partition same =
                        other.state.partition(topic.name(), partition.name().partition());
                assertThat(same).as(what).isNotNull();
                assertThat(StateFixture.bytes(same.log())).as(what).isEqualTo(StateFixture.bytes(partition.log()));
            }
        }
    }

    private StateFixture live(long seed, Random random) throws IOException {
        StateFixture live = StateFixture.founded(dir.resolve("live" + seed));
        live.create("t0", 2, Map.of());
        live.queue("q0");
        for (int step = 0; step < STEPS; step++) {
            step(live, random, step);
            for (Subscription subscription : live.state.subscriptions()) {
                assertThat(subscription.depth())
                        .as("seed %d step %d", seed, step)
                        .isBetween(0L, 40L * STEPS);
            }
        }
        return live;
    }

    private static void step(StateFixture live, Random random, int step) throws IOException {
        Topic topic = anyTopic(live, random);
        Subscription subscription = anySubscription(live, random);
        switch (random.nextInt(29)) {
            case 0 ->
                live.change(new Change.TopicCreated(
                        "t" + random.nextInt(3), 1, random.nextInt(3) == 0 ? Map.of(Topic.KIND, "queue") : Map.of()));
            case 1 -> live.change(new Change.TopicAltered(topic.name(), topic.partitionCount() + 1, Map.of()));
            case 2 -> deleteSome(live, random);
            case 3, 4 ->
                live.change(new Change.SubscriptionCreated(
                        new SubscriptionInfo("s" + random.nextInt(5), topic.id(), Kind.DURABLE, null, null),
                        start(topic, random)));
            case 5 -> live.change(new Change.SubscriptionDeleted("s" + random.nextInt(5)));
            case 6 ->
                live.change(new Change.SubscriptionMoved(
                        subscription.info().name(), start(topicOf(live, subscription), random)));
            case 7 ->
                live.change(
                        random.nextInt(4) == 0
                                ? new Change.SubscriptionPurged(
                                        subscription.info().name())
                                : new Change.SubscriptionPaused(
                                        subscription.info().name(), random.nextBoolean()));
            case 8 -> live.change(new Change.DeliveredMark(subscription.id(), 0, random.nextInt(3_000)));
            case 9, 10 -> returned(live, subscription, random, step);
            case 11 -> trim(live, topic, random);
            case 12 -> moved(live, subscription, topic, random);
            case 24, 25 -> enlist(live, subscription, topic, random);
            case 26, 27, 28 -> stepOn(live, random);
            case 13, 14 -> transact(live, subscription, topic, random);
            case 15, 16, 17, 18 -> live.acknowledge(subscription.id(), someRanges(live, subscription, random));
            default -> {
                int partition = random.nextInt(topic.partitionCount());
                if (random.nextInt(3) == 0) {
                    ByteBuffer one = StateFixture.scheduled(random.nextInt(10), random.nextInt(2) * (step + 40L));
                    live.put(topic, partition, 1, one, step);
                } else {
                    int count = 1 + random.nextInt(30);
                    live.put(topic, partition, count, StateFixture.messages(count), step);
                }
            }
        }
    }

    private static void deleteSome(StateFixture live, Random random) throws IOException {
        if (random.nextInt(3) == 0) {
            live.change(new Change.TopicDeleted("t" + (1 + random.nextInt(2))));
        }
    }

    private static Topic anyTopic(StateFixture live, Random random) {
        List<Topic> all = new ArrayList<>(live.state.topics());
        return all.get(random.nextInt(all.size()));
    }

    private static Subscription anySubscription(StateFixture live, Random random) {
        List<Subscription> all = new ArrayList<>(live.state.subscriptions());
        return all.get(random.nextInt(all.size()));
    }

    private static Topic topicOf(StateFixture live, Subscription subscription) {
        Topic topic = live.state.topic(subscription.info().topicId());
        assertThat(topic).isNotNull();
        return topic;
    }

    private static Start start(Topic topic, Random random) throws IOException {
        int kind = random.nextInt(3);
        if (kind < 2) {
            return kind == 0 ? topic.first() : Start.LAST;
        }
        List<Start.Position> positions = new ArrayList<>();
        for (int i = random.nextInt(2); i < topic.partitionCount(); i++) {
            MessageLog log = topic.partitions()[i].log();
            List<Long> offsets = offsets(log);
            long offset = offsets.get(random.nextInt(offsets.size()));
            positions.add(new Start.Position(i, offset, log.messagesBefore(offset)));
        }
        return Start.at(positions);
    }

    /** Where messages begin, and the end. */
    private static List<Long> offsets(MessageLog log) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(StateFixture.bytes(log));
        List<Long> offsets = new ArrayList<>();
        int at = 0;
        for (; at < bytes.limit(); at += 20 + bytes.getInt(at)) {
            offsets.add(log.startOffset() + at);
        }
        offsets.add(log.startOffset() + at);
        return offsets;
    }

    private static MessageRanges someRanges(StateFixture live, Subscription subscription, Random random)
            throws IOException {
        MessageRanges ranges = new MessageRanges();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int partition = random.nextInt(subscription.partitionCount());
            List<Long> offsets =
                    offsets(topicOf(live, subscription).partitions()[partition].log());
            int from = random.nextInt(offsets.size());
            int to = Math.min(offsets.size() - 1, from + random.nextInt(40));
            if (to > from) {
                ranges.add(partition, offsets.get(from), offsets.get(to), to - from);
            }
        }
        return ranges;
    }

    private static void returned(StateFixture live, Subscription subscription, Random random, int step)
            throws IOException {
        List<Long> offsets = offsets(topicOf(live, subscription).partitions()[0].log());
        List<Change.ReturnedMessage> messages = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            messages.add(new Change.ReturnedMessage(
                    offsets.get(random.nextInt(offsets.size())), random.nextBoolean() ? 0 : step));
        }
        live.change(new Change.Returned(subscription.id(), 0, messages));
    }

    private static void trim(StateFixture live, Topic topic, Random random) throws IOException {
        int partition = random.nextInt(topic.partitionCount());
        long end = topic.partitions()[partition].log().endOffset();
        live.change(new Change.PartitionTrimmed(topic.id(), partition, end, Change.Disposal.DELETE));
    }

    private static void moved(StateFixture live, Subscription subscription, Topic topic, Random random)
            throws IOException {
        MessageRanges one = someRanges(live, subscription, random);
        if (!one.isEmpty()) {
            MovedRecord moved =
                    new MovedRecord(subscription.id(), one.partition(0), one.from(0), one.to(0), one.messages(0));
            live.move(moved, topic.id(), 0, StateFixture.messages(1), 1);
        }
    }

    private static void enlist(StateFixture live, Subscription subscription, Topic topic, Random random)
            throws IOException {
        TransactionProposal.Parts parts = new TransactionProposal.Parts();
        for (int i = random.nextInt(3); i > 0; i--) {
            int count = random.nextInt(10) == 0 ? 60 : 2; // some do not fit into the heap
            parts.messages(topic.id(), random.nextInt(topic.partitionCount()), count, StateFixture.messages(count));
        }
        if (random.nextBoolean()) {
            parts.acknowledge(subscription.id(), someRanges(live, subscription, random));
        }
        long id = random.nextInt(4) == 0 ? EnlistedRecord.BEGIN : EnlistedRecord.ANY;
        String key = "XID:" + random.nextInt(8);
        Then[] then = {Then.NOTHING, Then.NOTHING, Then.PREPARE, Then.PREPARE, Then.COMMIT};
        live.enlist(
                new EnlistProposal.Target(key, id, then[random.nextInt(then.length)], 1_000, "t"),
                random.nextInt(3),
                200 + random.nextInt(200),
                parts);
    }

    private static void stepOn(StateFixture live, Random random) throws IOException {
        List<Long> ids = new ArrayList<>(List.of(1_000L));
        live.state.transactions().all().forEach(transaction -> ids.add(transaction.id()));
        for (int i = 0; i < 8; i++) {
            RolledBack ended = live.state.transactions().rolledBack("XID:" + i);
            if (ended != null && random.nextBoolean()) {
                ids.add(ended.id());
            }
        }
        TransactionStep.Kind[] kinds = TransactionStep.Kind.values();
        live.step(kinds[random.nextInt(kinds.length)], ids.get(random.nextInt(ids.size())));
    }

    private static void transact(StateFixture live, Subscription subscription, Topic topic, Random random)
            throws IOException {
        TransactionProposal.Parts parts = new TransactionProposal.Parts();
        for (int i = random.nextInt(4); i > 0; i--) {
            parts.messages(topic.id(), random.nextInt(topic.partitionCount()), 2, StateFixture.messages(2));
        }
        if (random.nextBoolean()) {
            parts.messages(-3, 0, 1, StateFixture.messages(1));
        }
        if (random.nextBoolean()) {
            parts.acknowledge(subscription.id(), someRanges(live, subscription, random));
        }
        live.transact(random.nextInt(3), random.nextInt(200), parts);
    }
}
