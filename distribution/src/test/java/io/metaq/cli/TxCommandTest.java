package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.protocol.TransactionKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about transactions, against a real broker in this process. Every test has a queue and branches of its own. */
class TxCommandTest {
    private static final int HEURISTICALLY_ROLLED_BACK = 6;

    @TempDir
    private static Path dir;

    private static Broker broker;
    private static MetaqClient client;
    private static SubscriberLink link;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .set(Settings.UNFLUSH_THRESHOLD, 1)
                .build());
        client = MetaqClient.builder().servers(server()).build();
        link = client.subscriber(new Unconcerned());
        await(link.ready());
    }

    @AfterAll
    static void stopBroker() {
        link.close();
        client.close();
        broker.close();
    }

    @Test
    void shouldListWhatIsPreparedAndWhatItHolds() {
        String key = prepared("held", "a1", "hello");

        assertThat(run("tx", "list", "XID:7:a1:*").out())
                .containsPattern("(?m)^prepared +\\d+s +1 +\\d+ +0 +\\S+ \\(java-client\\) +" + key + "$");
        assertThat(run("tx", "list", "--prepared").out()).contains(key);
        assertThat(run("tx", "list", "TX:*").out()).doesNotContain(key);
        assertThat(run("tx", "show", key).out())
                .startsWith("transaction " + key + " on 127.0.0.1:")
                .contains("  phase prepared", "  messages 1", "  topic held partition 0 messages 1 bytes");
    }

    @Test
    void shouldCommitInTheCoordinatorsPlace() {
        String key = prepared("decided", "b1", "hello");

        CommandRun unsure = run("tx", "commit", key);
        assertThat(unsure.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(unsure.err()).contains("this would commit " + key, "add --yes");
        assertThat(depth("decided")).isZero();

        assertThat(run("tx", "commit", key, "--yes").out()).isEqualToIgnoringNewLines("committed " + key);
        assertThat(depth("decided")).isEqualTo(1);
        assertThat(run("tx", "list", key).out()).contains("heuristically-committed");

        assertThat(run("tx", "forget", key).out()).isEqualToIgnoringNewLines("forgot " + key);
        assertThat(run("tx", "list", key).out()).doesNotContain(key);
    }

    @Test
    void shouldTellTheCoordinatorThatItsBranchWasRolledBack() {
        String key = prepared("undone", "c1", "hello");

        assertThat(run("tx", "rollback", key, "--yes").out()).isEqualToIgnoringNewLines("rolled back " + key);

        assertThat(depth("undone")).isZero();
        CompletableFuture<Integer> commit =
                link.transaction(new TransactionKey.Xa(7, "c1", "01", "metaq"), TransactionStep.COMMIT_TWO_PHASE);
        assertThat(commit.handle((result, failure) ->
                                failure instanceof CompletionException wrapped ? wrapped.getCause() : failure)
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join())
                .isInstanceOfSatisfying(
                        MetaqException.class,
                        failure -> assertThat(failure.getMessage()).contains("code=" + HEURISTICALLY_ROLLED_BACK));
    }

    @Test
    void shouldSayThatThereIsNoSuchTransaction() {
        for (String what : List.of("show", "forget")) {
            CommandRun run = run("tx", what, "XID:7:ff:ff:metaq");
            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(run.err()).contains("metaq: ", "XID:7:ff:ff:metaq");
        }
    }

    /** A branch with one message. @return its key */
    private static String prepared(String queue, String global, String text) {
        await(link.ensureDestination(queue, true));
        TransactionKey.Xa key = new TransactionKey.Xa(7, global, "01", "metaq");
        TransactionParts parts = new TransactionParts();
        parts.send(queue, 0, 0, text.getBytes(StandardCharsets.UTF_8));
        await(link.enlist(new Enlistment(key, parts, Enlistment.Then.PREPARE, 0, false)));
        return key.token();
    }

    private static long depth(String queue) {
        return client.admin()
                .subscriptions()
                .list("queue:" + queue, null)
                .get(0)
                .depth();
    }

    private static CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", server()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static String server() {
        return "127.0.0.1:" + broker.port();
    }

    private static <T> T await(CompletableFuture<T> answer) {
        return answer.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static final class Unconcerned implements SubscriberListener {
        @Override
        public void interrupted(RuntimeException cause) {
            // the next call tells
        }

        @Override
        public void resumed() {
            // the next call tells
        }

        @Override
        public void failed(RuntimeException cause) {
            // the next call tells
        }
    }
}
