package io.metaq.state.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.message.Selector;
import io.metaq.state.record.Change;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The true reason why a consumer gets nothing. */
class ExplanationTest {
    @TempDir
    private Path dir;

    private World world;
    private final Mailbox a = new Mailbox();
    private final Mailbox b = new Mailbox();

    @BeforeEach
    void setUp() throws IOException {
        world = new World(dir);
    }

    private Explanation explain(@Nullable Selector selector) {
        List<Explanation> answers = new ArrayList<>();
        world.dispatch().explain(selector, answers::add);
        world.run();
        assertThat(answers).hasSize(1);
        answers.get(0).figures().values().forEach(value -> assertThat(value).isNotNegative());
        return answers.get(0);
    }

    private String reason() {
        return explain(null).reason();
    }

    private Subscriber attach(Mailbox mailbox, @Nullable Selector selector, int credit) {
        Subscriber subscriber = world.dispatch().attach(mailbox, selector);
        world.dispatch().credit(subscriber, credit, 1000);
        world.run();
        return subscriber;
    }

    @Test
    void shouldSayThatThereAreNoMessages() {
        assertThat(reason()).startsWith("no messages");
    }

    @Test
    void shouldSayThatNobodyIsAttached() {
        world.send("1");
        assertThat(reason()).startsWith("no consumer: 1 messages are ready");
    }

    @Test
    void shouldSayThatNobodyAsks() {
        attach(a, null, 0);
        world.send("1");
        assertThat(reason()).startsWith("no credit").contains("mailbox");
    }

    @Test
    void shouldSayThatAConnectionTakesNothing() {
        a.writable = false;
        attach(a, null, 10);
        world.send("1");
        assertThat(reason()).startsWith("connection: mailbox");
    }

    @Test
    void shouldSayWhoHasTheMessages() {
        world.send("1");
        attach(a, null, 10);
        assertThat(reason()).startsWith("leased: 1 of 1").contains("mailbox since 1970-01-01T00:16:40Z");
        assertThat(explain(null).figures()).containsEntry("leased", 1L).containsEntry("ready", 0L);
    }

    @Test
    void shouldSayThatTheSelectorMatchesNone() {
        world.send("1", World.property("n", 1));
        attach(a, World.selector("n = 2"), 10);
        assertThat(reason()).startsWith("selector: the consumers have selectors that match none of the 1");
        assertThat(explain(World.selector("n = 3")).reason()).startsWith("selector: it matches none");
        assertThat(explain(World.selector("n = 1")).figures()).containsEntry("ready", 1L);
    }

    @Test
    void shouldSayUntilWhenMessagesAreDelayed() {
        world.send("1", world.delay(1_000));
        attach(a, null, 10);
        assertThat(reason()).startsWith("delayed: 1 messages").contains("1970-01-01T00:16:41Z");
    }

    @Test
    void shouldSayThatMessagesRestAfterAFailure() {
        world.send("1");
        Subscriber subscriber = attach(a, null, 10);
        world.dispatch().reject(subscriber, a.all(), 500, false);
        world.run();
        assertThat(reason()).startsWith("delayed: 1 messages");
    }

    @Test
    void shouldSayThatAGroupWaitsForOneOfItsMessages() {
        world.send("1", World.group("g"));
        Subscriber subscriber = attach(a, null, 1);
        world.dispatch().reject(subscriber, a.all(), 500, false);
        world.dispatch().credit(subscriber, 10, 1000);
        world.send("2", World.group("g"));
        world.run();
        assertThat(reason()).startsWith("delayed: 2 messages");
    }

    @Test
    void shouldSayWhoseGroupItIs() {
        world.send("1", World.group("g"));
        Subscriber owner = attach(a, null, 1);
        world.send("2", World.group("g"));
        attach(b, null, 10);
        assertThat(reason()).startsWith("message groups: 1 messages").contains("such as g of mailbox");
        assertThat(owner.credit).isZero();
    }

    @Test
    void shouldSayThatMessagesAreExpired() {
        world.send("1", world.expiresIn(10));
        world.nowMs += 10;
        assertThat(reason()).startsWith("expired: all 1");
    }

    @Test
    void shouldSayThatItIsPausedOrClosed() {
        world.send("1");
        world.change(new Change.SubscriptionPaused("queue:Q", true));
        assertThat(reason()).startsWith("paused");
        world.change(new Change.SubscriptionPaused("queue:Q", false));
        world.change(new Change.PartitionsGated("Q", 0, 0, false, true, false));
        assertThat(reason()).startsWith("closed: partition 0");
    }
}
