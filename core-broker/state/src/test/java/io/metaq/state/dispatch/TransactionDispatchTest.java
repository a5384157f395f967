package io.metaq.state.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.TransactionStep.Kind;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of deliveries that a transaction of several records acknowledges. */
class TransactionDispatchTest {
    @TempDir
    private Path dir;

    private World world;
    private final Mailbox a = new Mailbox();
    private final Mailbox b = new Mailbox();

    @BeforeEach
    void setUp() throws IOException {
        world = new World(dir);
        world.state.observeReturned((subscription, ranges) -> world.dispatch().unlocked(ranges));
        for (int i = 1; i <= 4; i++) {
            world.send("" + i);
        }
    }

    /** A consumer takes two messages and acknowledges them in a transaction. */
    private void prepareTwo() {
        Subscriber first = world.dispatch().attach(a, null);
        world.dispatch().credit(first, 2, 1_000);
        world.run();
        AckTicket ticket = world.dispatch().claim(first, a.all());
        world.enlist("XID:1", Then.PREPARE, ticket.ranges());
        world.dispatch().locked(ticket);
        world.run();
    }

    private void attachSecond() {
        Subscriber second = world.dispatch().attach(b, null);
        world.dispatch().credit(second, 10, 1_000);
        world.run();
    }

    @Test
    void shouldGiveNobodyWhatIsLocked() {
        prepareTwo();
        attachSecond();
        assertThat(b.counted()).isEqualTo("3:1 4:1");
        assertThat(world.subscription().depth()).isEqualTo(4);
        world.step(Kind.COMMIT);
        world.run();
        assertThat(b.counted()).isEqualTo("3:1 4:1");
        assertThat(world.subscription().depth()).isEqualTo(2);
    }

    @Test
    void shouldDeliverAgainBeforeLaterOnesWhatWasRolledBack() {
        prepareTwo();
        world.step(Kind.ROLL_BACK);
        attachSecond();
        assertThat(b.counted()).isEqualTo("1:2 2:2 3:1 4:1");
    }

    @Test
    void shouldDeliverAgainToOneThatWaits() {
        prepareTwo();
        attachSecond();
        b.clear();
        world.step(Kind.ROLL_BACK);
        world.run();
        assertThat(b.counted()).isEqualTo("1:2 2:2");
    }

    @Test
    void shouldNotLoseWhatIsRolledBackBeforeItsLeaseHasEnded() {
        Subscriber first = world.dispatch().attach(a, null);
        world.dispatch().credit(first, 2, 1_000);
        world.run();
        AckTicket ticket = world.dispatch().claim(first, a.all());
        world.enlist("XID:1", Then.NOTHING, ticket.ranges());
        world.step(Kind.TIME_OUT);
        world.dispatch().locked(ticket);
        attachSecond();
        assertThat(b.counted()).isEqualTo("1:2 2:2 3:1 4:1");
    }

    @Test
    void shouldKeepLocksThroughANewDispatch() {
        prepareTwo();
        world.anew();
        attachSecond();
        assertThat(b.texts()).containsExactly("3", "4");
        b.clear();
        world.step(Kind.ROLL_BACK);
        world.run();
        assertThat(b.counted()).isEqualTo("1:2 2:2");
    }

    @Test
    void shouldGiveUpWhatWasRolledBackTooOften() {
        world.policy = new RedeliveryPolicy(1, 0, 1, 0, "DLQ", null);
        prepareTwo();
        world.step(Kind.ROLL_BACK);
        attachSecond();
        assertThat(b.texts()).containsExactly("3", "4");
        assertThat(world.moves).extracting(Move::target).containsExactly("DLQ", "DLQ");
    }

    @Test
    void shouldRestWhatWasRolledBackForItsDelay() {
        world.policy = new RedeliveryPolicy(0, 500, 1, 0, null, null);
        prepareTwo();
        world.step(Kind.ROLL_BACK);
        attachSecond();
        assertThat(b.texts()).containsExactly("3", "4");
        world.advance(600);
        assertThat(b.counted()).isEqualTo("3:1 4:1 1:2 2:2");
    }
}
