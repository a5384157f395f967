package io.metaq.state.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.message.HeaderField;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.TransactionStep.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes back, a later message of its group is not shown before it. */
class GroupOrderTest {
    private static final long BY_POLICY = -1;

    @TempDir
    private Path dir;

    private World world;
    private final Mailbox a = new Mailbox();
    private final Mailbox b = new Mailbox();

    @BeforeEach
    void setUp() throws IOException {
        world = new World(dir);
    }

    private Subscriber attach(Mailbox mailbox, int credit) {
        Subscriber subscriber = world.dispatch().attach(mailbox, null);
        credit(subscriber, credit);
        return subscriber;
    }

    private void credit(Subscriber subscriber, int credit) {
        world.dispatch().credit(subscriber, credit, 1 << 20);
        world.run();
    }

    private void send(String... texts) {
        for (String text : texts) {
            world.send(text, World.group(text.substring(0, 1)));
        }
        world.run();
    }

    /** A way in which a consumer gives back what it has. */
    private interface Way {
        void giveBack(World world, Subscriber subscriber, ClaimedRanges all);
    }

    private static Arguments way(String name, int delivery, Way way) {
        return Arguments.of(name, delivery, way);
    }

    static Stream<Arguments> waysOfOneThatStays() {
        return Stream.of(
                way("rejects", 2, (world, it, all) -> world.dispatch().reject(it, all, BY_POLICY, false)),
                way("releases", 1, (world, it, all) -> world.dispatch().release(it, all)),
                way(
                        "rolls a claim back",
                        2,
                        (world, it, all) -> world.dispatch().claim(it, all).rolledBack()),
                way("rolls a lock back", 2, (world, it, all) -> {
                    AckTicket ticket = world.dispatch().claim(it, all);
                    world.enlist("XID:1", Then.PREPARE, ticket.ranges());
                    world.dispatch().locked(ticket);
                    world.step(Kind.ROLL_BACK);
                    world.dispatch().unlocked(ticket.ranges());
                }));
    }

    static Stream<Arguments> allWays() {
        return Stream.concat(
                waysOfOneThatStays(),
                Stream.of(
                        way("is lost", 2, (world, it, all) -> world.dispatch().lost(it)),
                        way("leaves", 1, (world, it, all) -> world.dispatch().detach(it, ClaimedRanges.NONE)),
                        way(
                                "leaves and has seen",
                                2,
                                (world, it, all) -> world.dispatch().detach(it, all))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waysOfOneThatStays")
    void shouldShowItBeforeWhatWaitedForCreditOfTheSameConsumer(String name, int delivery, Way way) {
        send("g0", "g1");
        Subscriber owner = attach(a, 2);
        send("g2", "h0");
        Subscriber other = attach(b, 1);
        assertThat(b.texts()).containsExactly("h0"); // and g2 was looked at: it waits for its consumer
        assertThat(other.ready()).isFalse();
        ClaimedRanges both = a.all();
        a.clear();
        way.giveBack(world, owner, both);
        world.run();
        credit(owner, 10);
        assertThat(a.counted()).isEqualTo("g0:%d g1:%d g2:1".formatted(delivery, delivery));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("allWays")
    void shouldShowItFirstToWhoeverGetsTheGroup(String name, int delivery, Way way) {
        send("g0", "g1");
        Subscriber owner = attach(a, 2);
        send("g2", "h0");
        Subscriber other = attach(b, 1);
        way.giveBack(world, owner, a.all());
        world.run();
        world.dispatch().lost(owner);
        credit(other, 10);
        assertThat(b.counted()).isEqualTo("h0:1 g0:%d g1:%d g2:1".formatted(delivery, delivery));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("allWays")
    void shouldLetOnlyItsGroupWaitWhileItRests(String name, int delivery, Way way) {
        world.policy = new RedeliveryPolicy(0, 500, 1, 0, null, null);
        boolean rests = delivery > 1;
        send("g0", "h0", "g1");
        Subscriber owner = attach(a, 1);
        way.giveBack(world, owner, a.all());
        world.run();
        world.dispatch().lost(owner);
        send("g2");
        attach(b, 10);
        assertThat(b.counted()).isEqualTo(rests ? "h0:1" : "g0:1 h0:1 g1:1 g2:1");
        world.advance(600);
        assertThat(b.counted()).isEqualTo(rests ? "h0:1 g0:2 g1:1 g2:1" : "g0:1 h0:1 g1:1 g2:1");
    }

    @Test
    void shouldLetItsGroupWaitAgainWhenItFailsAgain() {
        send("g0", "g1");
        Subscriber owner = attach(a, 1);
        for (int i = 0; i < 3; i++) {
            world.dispatch().reject(owner, a.last().range(), 200, false);
            credit(owner, 1);
            world.advance(150);
            assertThat(a.texts()).hasSize(i + 1).containsOnly("g0");
            world.advance(100);
        }
        world.dispatch().acknowledge(owner, a.last().range(), AckAnswer.NONE);
        credit(owner, 1);
        assertThat(a.counted()).isEqualTo("g0:1 g0:2 g0:3 g0:4 g1:1");
    }

    @Test
    void shouldLetAGroupWaitAfterARestart() {
        send("g0", "h0", "g1");
        Subscriber owner = attach(a, 1);
        world.dispatch().reject(owner, a.all(), 500, false);
        world.run();
        world.anew();
        attach(b, 10);
        assertThat(b.texts()).containsExactly("h0");
        world.advance(600);
        assertThat(b.texts()).containsExactly("h0", "g0", "g1");
    }

    @Test
    void shouldNotWaitForOneThatIsGivenUp() {
        world.policy = new RedeliveryPolicy(1, 500, 1, 0, "DLQ", null);
        send("g0", "g1");
        Subscriber owner = attach(a, 1);
        world.dispatch().reject(owner, a.all(), BY_POLICY, false);
        credit(owner, 1);
        assertThat(a.texts()).containsExactly("g0", "g1");
    }

    @Test
    void shouldGiveAGroupToNobodyWhileItsAcknowledgementsMayFail() {
        send("g0", "h0", "g1");
        Subscriber owner = attach(a, 1);
        attach(b, 10);
        world.journalFails = true;
        world.holdJournal();
        world.dispatch().acknowledge(owner, a.all(), AckAnswer.NONE);
        world.dispatch().lost(owner);
        world.run();
        assertThat(b.texts()).containsExactly("h0");
        world.journalFails = false;
        world.releaseJournal();
        assertThat(b.counted()).isEqualTo("h0:1 g0:2 g1:1");
    }

    @Test
    void shouldFreeAGroupWhenTheLastAcknowledgementIsKept() {
        send("g0", "h0", "g1");
        Subscriber owner = attach(a, 1);
        attach(b, 10);
        world.holdJournal();
        world.dispatch().acknowledge(owner, a.all(), AckAnswer.NONE);
        world.dispatch().lost(owner);
        world.run();
        assertThat(b.texts()).containsExactly("h0");
        world.releaseJournal();
        assertThat(b.counted()).isEqualTo("h0:1 g1:1");
    }

    @Test
    void shouldKeepTheOrderOfMoreThanCanWaitInMemory() {
        send("g first");
        Subscriber owner = attach(a, 1);
        attach(b, 10);
        int many = Subscriber.MOST_PARKED + 100;
        world.sendMany(many, i -> World.message(Integer.toString(i), World.group("g")));
        world.send("low", World.priority(1).header(HeaderField.GROUP_ID, "g"));
        world.run();
        credit(owner, 50);
        world.send("last", World.group("g"));
        world.run();
        world.dispatch().credit(owner, 2 * many, Integer.MAX_VALUE);
        world.run();
        assertThat(b.got).isEmpty();
        assertThat(a.got).hasSize(many + 3);
        for (int i = 0; i < many; i++) {
            assertThat(a.got.get(i + 1).text()).isEqualTo(Integer.toString(i));
        }
        assertThat(a.got.get(many + 1).text()).isEqualTo("last");
        assertThat(a.last().text()).isEqualTo("low");
    }
}
