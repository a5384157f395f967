package io.metaq.jms.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.failure.Deadline;
import io.metaq.jms.message.MetaQMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class CompletionsTest {

    private final Queue<Runnable> line = new ArrayDeque<>();
    private final Completions completions = new Completions(line::add);
    private final List<String> calls = new ArrayList<>();
    private Runnable during = () -> {};

    @Test
    void shouldCallInTheOrderOfTheSendsWhateverTheOrderOfTheOutcomes() {
        Completions.Send first = begin("first");
        Completions.Send second = begin("second");

        second.completed(new JMSException("no"));
        runLine();
        assertThat(calls).isEmpty();

        first.completed(null);
        runLine();
        assertThat(calls).containsExactly("first", "second failed");
    }

    @Test
    void shouldNeverCallOnTheThreadThatBringsTheOutcome() {
        begin("a").completed(null);

        assertThat(calls).isEmpty();
        assertThat(completions.await(Deadline.in(0))).isFalse();

        runLine();
        assertThat(completions.await(Deadline.in(0))).isTrue();
    }

    @Test
    void shouldTakeTheFirstOutcomeOnly() {
        Completions.Send send = begin("a");
        send.completed(null);
        send.completed(new JMSException("late"));
        runLine();

        assertThat(calls).containsExactly("a");
    }

    @Test
    void shouldRefuseWithinACallbackWhatWouldWaitForIt() throws Exception {
        during = () -> assertThatThrownBy(() -> completions.refuseInCallback("close"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("close");
        begin("a").completed(null);
        runLine();

        completions.refuseInCallback("close");
        assertThat(calls).containsExactly("a");
    }

    @Test
    void shouldKnowWhoseCallbackRuns() {
        Object other = new Object();
        during = () -> {
            assertThat(completions.isCallbackOf(this)).isTrue();
            assertThat(completions.isCallbackOf(other)).isFalse();
        };
        begin("a").completed(null);
        runLine();
        assertThat(completions.isCallback()).isFalse();
        assertThat(calls).hasSize(1);
    }

    @Test
    void shouldGoOnAfterAListenerThatThrows() {
        during = () -> {
            throw new java.lang.IllegalStateException("on purpose");
        };
        begin("a").completed(null);
        begin("b").completed(null);
        runLine();

        assertThat(completions.await(Deadline.in(0))).isTrue();
    }

    private void runLine() {
        for (Runnable task = line.poll(); task != null; task = line.poll()) {
            task.run();
        }
    }

    private Completions.Send begin(String name) {
        return completions.begin(this, new MetaQMessage(), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                during.run();
                calls.add(name);
            }

            @Override
            public void onException(Message message, Exception exception) {
                calls.add(name + " failed");
            }
        });
    }
}
