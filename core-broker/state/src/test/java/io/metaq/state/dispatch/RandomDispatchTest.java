package io.metaq.state.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.state.subscription.MessageRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A dispatch does random things and is compared with a simple model: nobody gets what another has, is early, expired or
 * does not match; counts are right; order holds; and when all is quiet nothing is ready for anybody who asks.
 */
class RandomDispatchTest {
    @TempDir
    private Path dir;

    /** What the model knows of a message. */
    private static final class Sent {
        private final long offset;
        private final long end;
        private final int priority;
        private final long dueMs;
        private final long expiryMs;
        private final @Nullable String group;
        private final int color;
        private int countedReturns;
        private boolean seen;
        private long notBeforeMs;
        private boolean acknowledged;
        private boolean leaving;
        private @Nullable Actor acknowledger;
        private @Nullable Actor holder;

        Sent(long offset, long end, int priority, long dueMs, long expiryMs, @Nullable String group, int color) {
            this.offset = offset;
            this.end = end;
            this.priority = priority;
            this.dueMs = dueMs;
            this.expiryMs = expiryMs;
            this.group = group;
            this.color = color;
        }

        boolean pending() {
            return !acknowledged && !leaving && holder == null;
        }

        boolean isOfGroupOf(Sent other) {
            return group != null && group.equals(other.group);
        }

        boolean isBefore(Sent other) {
            return priority > other.priority || priority == other.priority && offset < other.offset;
        }

        /** Came back, and is not due again. */
        boolean rests(long nowMs) {
            return pending() && notBeforeMs > nowMs;
        }

        /** Somebody says he is done with it, and the journal has not answered. */
        boolean mayComeBack() {
            return acknowledger != null && !acknowledged;
        }

        boolean ready(long nowMs) {
            return pending() && dueMs <= nowMs && notBeforeMs <= nowMs && expiryMs > nowMs;
        }

        @Override
        public String toString() {
            return offset + " priority " + priority + " group " + group + " color " + color + " due " + dueMs;
        }
    }

    /** A consumer. */
    private final class Actor implements Recipient {
        private final int color;
        private final List<Sent> has = new ArrayList<>();
        private boolean writable = true;
        private @Nullable Subscriber subscriber;

        Actor(int color) {
            this.color = color;
        }

        boolean matches(Sent message) {
            return color < 0 || message.color == color;
        }

        @Override
        public boolean writable() {
            return writable;
        }

        @Override
        public void deliver(int partition, long offset, int count, int deliveryCount, ByteBuffer run) {
            long at = offset;
            for (int i = 0; i < count; i++) {
                Sent message = messages.get(at);
                assertThat(message).as("a message at %d", at).isNotNull();
                check(this, message, deliveryCount);
                message.holder = this;
                has.add(message);
                if (message.group != null) {
                    owners.put(message.group, this);
                }
                at = message.end;
            }
            assertThat(at - offset).isEqualTo(run.remaining());
            deliveries += count;
        }

        @Override
        public void detached(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public String toString() {
            return "actor of color " + color;
        }
    }

    private World world;
    private Random random = new Random(0);
    private final TreeMap<Long, Sent> messages = new TreeMap<>();
    private final List<Actor> actors = new ArrayList<>();
    private final Map<String, Actor> owners = new HashMap<>();
    private long deliveries;
    private boolean restarted;
    private String what = "";

    private void check(Actor actor, Sent message, int deliveryCount) {
        long now = world.nowMs;
        assertThat(message.ready(now))
                .as("%s: %s is ready at %d", what, message, now)
                .isTrue();
        assertThat(actor.matches(message)).as("%s: %s matches", what, message).isTrue();
        if (restarted) {
            assertThat(deliveryCount).as("%s: count of %s", what, message).isGreaterThanOrEqualTo(message.seen ? 2 : 1);
        } else {
            assertThat(deliveryCount).as("%s: count of %s", what, message).isEqualTo(message.countedReturns + 1);
        }
        Actor owner = message.group == null ? null : owners.get(message.group);
        assertThat(owner == null || owner == actor)
                .as("%s: owner of %s", what, message)
                .isTrue();
        for (Sent other : messages.values()) {
            assertThat(other.isOfGroupOf(message) && waitsFor(message, other, actor))
                    .as("%s: %s waits for %s", what, message, other)
                    .isFalse();
            if (other != message && other.ready(now) && actor.matches(other)) {
                boolean overtaken = other.isOfGroupOf(message) || message.group == null && other.group == null;
                assertThat(overtaken && other.isBefore(message))
                        .as("%s: %s goes before %s", what, message, other)
                        .isFalse();
            }
        }
    }

    /** Whether a message of a group has to wait for another one of it, before this actor gets it. */
    private boolean waitsFor(Sent message, Sent other, Actor actor) {
        return other.rests(world.nowMs) && other.isBefore(message)
                || other.mayComeBack() && other.acknowledger != actor;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 14, 18})
    void shouldKeepItsPromisesWhateverHappens(long seed) throws IOException {
        random = new Random(seed);
        world = new World(dir) {
            @Override
            public void acknowledge(MessageRanges ranges, Completion completion) {
                leave(ranges);
                journalFails = random.nextInt(10) == 0;
                super.acknowledge(ranges, failure -> {
                    if (failure == null) {
                        acknowledged(ranges);
                    } else {
                        refused(ranges);
                    }
                    completion.done(failure);
                });
                journalFails = false;
            }
        };
        for (int i = 0; i < 1500; i++) {
            what = "seed " + seed + ", step " + i;
            step();
            if (random.nextInt(4) == 0) {
                world.run();
            }
            if (random.nextInt(10) == 0 && !world.journalHeld()) {
                quiet();
            }
            if (random.nextInt(300) == 0 && !world.journalHeld()) {
                restart();
            }
        }
        if (world.journalHeld()) {
            world.releaseJournal();
        }
        quiet();
        assertThat(deliveries).as("what seed %d did", seed).isGreaterThan(100);
    }

    /** Whatever the dispatch acknowledges by itself is expired. */
    private void leave(MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            for (Sent message : messages.subMap(ranges.from(i), ranges.to(i)).values()) {
                assertThat(message.acknowledged)
                        .as("%s: %s once", what, message)
                        .isFalse();
                if (!message.leaving) {
                    assertThat(message.expiryMs)
                            .as("%s: %s is dropped", what, message)
                            .isLessThanOrEqualTo(world.nowMs);
                    assertThat(message.holder).isNull();
                    message.leaving = true;
                }
            }
        }
    }

    private void acknowledged(MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            messages.subMap(ranges.from(i), ranges.to(i)).values().forEach(message -> message.acknowledged = true);
        }
    }

    private void refused(MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            messages.subMap(ranges.from(i), ranges.to(i)).values().forEach(this::refused);
        }
    }

    /** Whoever said that he was done with it has it still; if he has left, he may have seen it. */
    private void refused(Sent message) {
        Actor actor = message.acknowledger;
        message.acknowledger = null;
        message.leaving = false;
        if (actor != null && actors.contains(actor)) {
            message.holder = actor;
            actor.has.add(message);
        } else if (actor != null) {
            returned(actor, message, true, 0);
        }
    }

    private void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> send(1 + random.nextInt(20));
            case 4 -> attach();
            case 5, 6 -> withActor(actor -> credit(actor));
            case 7 -> withActor(actor -> drain(actor));
            case 8, 9 -> withActor(this::acknowledge);
            case 10 -> withActor(this::giveBack);
            case 11 -> withActor(this::leave);
            case 12 -> world.advance(random.nextInt(60));
            case 13 ->
                withActor(actor -> {
                    actor.writable = !actor.writable;
                    world.dispatch().wake();
                });
            case 14 -> {
                if (world.journalHeld()) {
                    world.releaseJournal();
                } else if (random.nextInt(3) == 0) {
                    world.holdJournal();
                }
            }
            default -> withActor(this::acknowledgeAll);
        }
    }

    private void withActor(Consumer<Actor> action) {
        if (!actors.isEmpty()) {
            action.accept(actors.get(random.nextInt(actors.size())));
        }
    }

    private void send(int count) {
        List<PropertyBlockWriter> blocks = new ArrayList<>();
        long at = world.topic().partitions()[0].log().endOffset();
        for (int i = 0; i < count; i++) {
            PropertyBlockWriter block = new PropertyBlockWriter();
            int color = random.nextInt(3);
            int priority = random.nextInt(6) == 0 ? random.nextInt(10) : 4;
            long dueMs = random.nextInt(10) == 0 ? world.nowMs + random.nextInt(100) : 0;
            long expiryMs = random.nextInt(10) == 0 ? world.nowMs + 1 + random.nextInt(100) : Long.MAX_VALUE;
            // All messages of a group are of one priority: else its order would be none.
            String group = priority == 4 && dueMs == 0 && random.nextInt(3) == 0 ? "g" + random.nextInt(4) : null;
            block.property("color", color)
                    .header(HeaderField.PRIORITY, priority)
                    .header(HeaderField.GROUP_ID, group);
            block.header(HeaderField.DELIVERY_TIME, dueMs == 0 ? null : dueMs);
            block.header(HeaderField.EXPIRATION, expiryMs == Long.MAX_VALUE ? null : expiryMs);
            blocks.add(block);
            int size = World.message("x", block).remaining();
            messages.put(at, new Sent(at, at + size, priority, dueMs, expiryMs, group, color));
            at += size;
        }
        world.sendMany(count, i -> World.message("x", blocks.get(i)));
    }

    private void attach() {
        if (actors.size() < 5) {
            Actor actor = new Actor(random.nextInt(2) == 0 ? -1 : random.nextInt(3));
            actor.subscriber =
                    world.dispatch().attach(actor, actor.color < 0 ? null : World.selector("color = " + actor.color));
            actors.add(actor);
        }
    }

    private void credit(Actor actor) {
        world.dispatch().credit(subscriber(actor), 1 + random.nextInt(30), 1 + random.nextInt(2000));
    }

    private static Subscriber subscriber(Actor actor) {
        if (actor.subscriber == null) {
            throw new IllegalStateException("never attached");
        }
        return actor.subscriber;
    }

    private void drain(Actor actor) {
        if (subscriber(actor).draining()) {
            return; // another would end it
        }
        int most = random.nextInt(10);
        IntConsumer answer = delivered -> {
            assertThat(delivered).isLessThanOrEqualTo(most);
            if (delivered < most && !world.subscription().paused()) {
                assertNothingReady(actor);
            }
        };
        world.dispatch().drain(subscriber(actor), most, answer);
    }

    private void assertNothingReady(Actor actor) {
        for (Sent message : messages.values()) {
            boolean stored = message.end <= knownEnd();
            if (stored && message.ready(world.nowMs) && actor.matches(message) && !waits(message, actor)) {
                Actor owner = message.group == null ? null : owners.get(message.group);
                assertThat(owner != null && owner != actor)
                        .as("%s: %s waits", what, message)
                        .isTrue();
            }
        }
    }

    private boolean waits(Sent message, Actor actor) {
        return messages.values().stream()
                .anyMatch(other -> message.isOfGroupOf(other) && waitsFor(message, other, actor));
    }

    private long knownEnd() {
        return world.dispatch().lanes.get(0).end;
    }

    private void acknowledge(Actor actor) {
        List<Sent> done = pick(actor);
        done.forEach(message -> {
            message.leaving = true;
            message.holder = null;
            message.acknowledger = actor;
            actor.has.remove(message);
        });
        world.dispatch().acknowledge(subscriber(actor), ranges(done), (acknowledged, missed, failure) -> {
            assertThat(acknowledged).as(what).isEqualTo(done.size());
            assertThat(missed).as(what).isZero();
        });
    }

    private void acknowledgeAll(Actor actor) {
        List<Sent> done = List.copyOf(actor.has);
        done.forEach(message -> {
            message.leaving = true;
            message.holder = null;
            message.acknowledger = actor;
        });
        actor.has.clear();
        world.dispatch().acknowledge(subscriber(actor), ranges(done), AckAnswer.NONE);
    }

    private List<Sent> pick(Actor actor) {
        List<Sent> picked = new ArrayList<>(actor.has);
        picked.removeIf(message -> random.nextBoolean());
        return picked;
    }

    private static ClaimedRanges ranges(List<Sent> messages) {
        List<Sent> sorted = new ArrayList<>(messages);
        sorted.sort((x, y) -> Long.compare(x.offset, y.offset));
        List<long[]> merged = new ArrayList<>();
        for (Sent message : sorted) {
            long[] last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && last[1] == message.offset) {
                last[1] = message.end;
            } else {
                merged.add(new long[] {message.offset, message.end});
            }
        }
        return visitor -> merged.forEach(range -> visitor.range(0, range[0], range[1]));
    }

    private void giveBack(Actor actor) {
        List<Sent> back = pick(actor);
        // A group's order cannot hold if single messages of it come back while later ones are out.
        List<Sent> behind = new ArrayList<>(actor.has);
        behind.removeIf(message -> back.contains(message) || !isBehindOne(message, back));
        if (random.nextBoolean()) {
            long delay = random.nextInt(3) == 0 ? random.nextInt(50) : 0;
            back.forEach(message -> returned(actor, message, true, delay));
            world.dispatch().reject(subscriber(actor), ranges(back), delay, false);
        } else {
            back.forEach(message -> returned(actor, message, false, 0));
            world.dispatch().release(subscriber(actor), ranges(back));
        }
        behind.forEach(message -> returned(actor, message, false, 0));
        world.dispatch().release(subscriber(actor), ranges(behind));
    }

    private static boolean isBehindOne(Sent message, List<Sent> others) {
        return others.stream().anyMatch(other -> message.isOfGroupOf(other) && other.isBefore(message));
    }

    private void returned(Actor actor, Sent message, boolean counted, long delay) {
        actor.has.remove(message);
        message.holder = null;
        message.countedReturns += counted ? 1 : 0;
        message.seen |= counted;
        message.notBeforeMs = delay == 0 ? 0 : world.nowMs + delay;
    }

    private void leave(Actor actor) {
        actors.remove(actor);
        owners.values().removeIf(owner -> owner == actor);
        List<Sent> seen = random.nextBoolean() ? pick(actor) : List.of();
        boolean lost = random.nextInt(3) == 0;
        List.copyOf(actor.has).forEach(message -> returned(actor, message, lost || seen.contains(message), 0));
        if (lost) {
            world.dispatch().lost(subscriber(actor));
        } else {
            world.dispatch().detach(subscriber(actor), ranges(seen));
        }
    }

    /** The broker is killed: what was out is pending again, and seen by somebody. */
    private void restart() {
        world.run();
        restarted = true;
        for (Actor actor : actors) {
            for (Sent message : actor.has) {
                message.holder = null;
                message.seen = true;
                message.notBeforeMs = 0;
            }
        }
        actors.clear();
        owners.clear();
        world.anew();
    }

    /** All is done that can be done: what is left is for nobody. */
    private void quiet() {
        world.run();
        for (Actor actor : actors) {
            if (subscriber(actor).ready()) {
                assertNothingReady(actor);
            }
        }
        long pending = messages.values().stream().filter(m -> !m.acknowledged).count();
        assertThat(world.subscription().depth()).as("%s: depth", what).isEqualTo(pending);
        for (Actor actor : actors) {
            assertThat(subscriber(actor).leasedMessages()).as(what).isEqualTo(actor.has.size());
        }
    }
}
