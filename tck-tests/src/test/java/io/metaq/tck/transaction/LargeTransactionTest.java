package io.metaq.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqClient;
import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.Enlistment.Then;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.protocol.TransactionKey;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Unconcerned;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction of very many messages commits while others send and read: they are answered as ever, and see it all at once in the
 * moment in which the commit is answered. A crash in the middle leaves all of it.
 */
class LargeTransactionTest {
    private static final int MESSAGES = Integer.getInteger("tck.transactions", 60_000);
    private static final boolean LARGE = MESSAGES >= 500_000;
    private static final int BODY_BYTES = 300;
    private static final int PIECE = 5_000;
    private static final TransactionKey.Xa KEY = new TransactionKey.Xa(1, "0a", "01", "large");
    private static final byte[] NOTE = StoredMessage.encode(new byte[] {1});
    private static final double LONGEST_WAIT_SECONDS = 1.5;

    @TempDir
    Path directory;

    private BrokerFiles files() {
        return BrokerFiles.in(directory)
                .set("journalSegmentSize", 64 * 1024 * 1024)
                .diskTopic("large", 2)
                .diskTopic("others", 1);
    }

    @Test
    @Timeout(1200)
    void shouldBecomeReadableAtOnceAndStopNobody() throws Exception {
        BrokerFiles files = files();
        try (var broker = BrokerProcess.start(files, "-XX:TieredStopAtLevel=4");
                var client = MetaqClient.builder()
                        .servers("127.0.0.1:" + broker.port())
                        .build();
                var link = client.subscriber(new Unconcerned())) {
            prepare(link);
            var others = new Asking(broker, "append others 0 1 " + NOTE.length, NOTE);
            var same = new Asking(broker, "append large 1 1 " + NOTE.length, NOTE);
            var looking = new Looking(broker);
            others.start();
            same.start();
            looking.start();

            long began = System.nanoTime();
            link.transaction(KEY, TransactionStep.COMMIT_TWO_PHASE).join();
            double seconds = (System.nanoTime() - began) / 1e9;
            assertThat(end(broker, 0))
                    .as("what is there when the commit is answered")
                    .isEqualTo(expectedEnd());

            looking.end();
            others.end();
            same.end();
            System.out.printf(
                    "%,d messages, %d MB: committed in %.2f s; longest wait meanwhile: others %d ms (%d answers), same"
                            + " partition %d ms (%d)%n",
                    MESSAGES,
                    expectedEnd() * 2 >> 20,
                    seconds,
                    others.longestMs(),
                    others.answers(),
                    same.longestMs(),
                    same.answers());
            if (LARGE) {
                assertThat(others.longestMs() / 1e3).isLessThan(LONGEST_WAIT_SECONDS);
            }
        }
    }

    @Test
    @Timeout(1200)
    void shouldBeThereAfterAKillInTheMiddleOfTheCommit() throws Exception {
        BrokerFiles files = files();
        var broker = BrokerProcess.start(files, "-XX:TieredStopAtLevel=4");
        try (var client = MetaqClient.builder()
                        .servers("127.0.0.1:" + broker.port())
                        .build();
                var link = client.subscriber(new Unconcerned())) {
            prepare(link);
            CompletableFuture<Integer> committed = link.transaction(KEY, TransactionStep.COMMIT_TWO_PHASE);
            // The record is written as soon as the table does not have the branch any more.
            try (var wire = broker.wire()) {
                while (wire.ask("tx list *").text().contains("phase prepared")) {
                    Thread.onSpinWait();
                }
            }
            broker.kill9();
            broker = BrokerProcess.start(files, "-XX:TieredStopAtLevel=4");
            assertThat(end(broker, 0)).isEqualTo(expectedEnd());
            assertThat(end(broker, 1)).isEqualTo(expectedEnd());
            assertThat(committed.join()).as("asked again, it is done").isZero();
        } finally {
            broker.close();
        }
    }

    private static void prepare(SubscriberLink link) {
        link.ready().join();
        byte[] body = new byte[BODY_BYTES];
        for (int sent = 0; sent < MESSAGES; sent += PIECE) {
            TransactionParts parts = new TransactionParts();
            for (int i = 0; i < PIECE; i++) {
                parts.send("large", i % 2, 0, body);
            }
            link.enlist(new Enlistment(KEY, parts, Then.NOTHING, 0, sent > 0)).join();
        }
        link.transaction(KEY, TransactionStep.PREPARE).join();
    }

    /** Where each partition ends when the transaction is in it, and nothing else. */
    private static long expectedEnd() {
        return (long) MESSAGES / 2 * StoredMessage.encode(new byte[BODY_BYTES]).length;
    }

    private static long end(BrokerProcess broker, int partition) throws IOException {
        try (var wire = broker.wire()) {
            return end(wire, partition);
        }
    }

    private static long end(Wire wire, int partition) throws IOException {
        return Long.parseLong(wire.askWithOptions("offset large anybody " + partition + " 0", "at=last", new byte[0])
                .text()
                .strip());
    }

    /** Does one thing again and again, until it is ended. */
    private abstract static class Busy extends Thread {
        private final Wire wire;
        private volatile boolean over;
        private volatile Throwable failure = new IllegalStateException("it has not ended");

        Busy(BrokerProcess broker) throws IOException {
            this.wire = broker.wire();
            setDaemon(true);
        }

        abstract void once(Wire on) throws IOException;

        @Override
        public void run() {
            try {
                while (!over) {
                    once(wire);
                }
                failure = null;
            } catch (IOException | RuntimeException | AssertionError e) {
                failure = e;
            }
        }

        void end() throws InterruptedException {
            over = true;
            join();
            assertThat(failure).isNull();
            wire.close();
        }
    }

    /** Sends, and notes how long it had to wait. */
    private static final class Asking extends Busy {
        private final String command;
        private final byte[] body;
        private long longestNanos;
        private int answers;

        Asking(BrokerProcess broker, String command, byte[] body) throws IOException {
            super(broker);
            this.command = command;
            this.body = body;
        }

        @Override
        void once(Wire on) throws IOException {
            long asked = System.nanoTime();
            assertThat(on.ask(command, body).ok()).isTrue();
            longestNanos = Math.max(longestNanos, System.nanoTime() - asked);
            answers++;
        }

        long longestMs() {
            return longestNanos / 1_000_000;
        }

        int answers() {
            return answers;
        }
    }

    /** Whoever has seen the end of one partition move finds the other one whole. */
    private static final class Looking extends Busy {
        Looking(BrokerProcess broker) throws IOException {
            super(broker);
        }

        @Override
        void once(Wire on) throws IOException {
            long first = LargeTransactionTest.end(on, 0);
            long second = LargeTransactionTest.end(on, 1);
            if (first > 0) {
                assertThat(first).isEqualTo(expectedEnd());
                assertThat(second).isGreaterThanOrEqualTo(expectedEnd());
            }
        }
    }
}
