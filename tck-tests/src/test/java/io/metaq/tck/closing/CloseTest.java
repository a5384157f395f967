package io.metaq.tck.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each way to end something, at each moment, while the broker serves, stands still or is gone. All plays of a state of the broker
 * run at once, for with a broker that stands still each of them takes seconds.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseTest {
    /** How long a client takes to find out that the broker is lost, at most. */
    private static final Duration LOSS = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void shouldEndWhileTheBrokerServes() throws Exception {
        Set<Thread> before = threads();
        try (BrokerProcess broker = BrokerProcess.start(BrokerFiles.in(directory))) {
            List<Play> plays = plays(broker, false);
            awaitAll(plays);
            assertThat(verdicts(plays)).isEmpty();
            assertNoThreadLeft(before);
        }
    }

    @Test
    void shouldEndWhileTheBrokerStandsStill() throws Exception {
        Set<Thread> before = threads();
        try (BrokerProcess broker = BrokerProcess.start(BrokerFiles.in(directory))) {
            List<Play> plays = plays(broker, true);
            awaitAll(plays.stream().filter(play -> !play.isAboutLoss()).toList());
            broker.signal("STOP");
            awaitAll(plays);
            assertThat(verdicts(plays)).isEmpty();
            assertNoThreadLeft(before);
        }
    }

    @Test
    void shouldEndWhenTheBrokerIsGone() throws Exception {
        Set<Thread> before = threads();
        try (BrokerProcess broker = BrokerProcess.start(BrokerFiles.in(directory))) {
            List<Play> plays = plays(broker, true);
            awaitAll(plays.stream().filter(play -> !play.isAboutLoss()).toList());
            broker.kill9();
            awaitAll(plays);
            assertThat(verdicts(plays)).isEmpty();
            assertNoThreadLeft(before);
        }
    }

    /** @param loss whether the broker will be lost, so that exception listeners are called */
    private static List<Play> plays(BrokerProcess broker, boolean loss) throws Exception {
        String uri = "metaq://127.0.0.1:" + broker.port();
        List<Play> plays = new ArrayList<>();
        for (Moment moment : Moment.values()) {
            boolean needsLoss = moment == Moment.IN_EXCEPTION_LISTENER;
            if (needsLoss && !loss) {
                continue;
            }
            String options = needsLoss ? "?reconnectTimeout=1000&requestTimeout=1000" : "";
            for (Ending ending : Ending.values()) {
                MetaQConnectionFactory factory = new MetaQConnectionFactory(uri + options);
                Scene scene = Scene.open(factory, "close-" + plays.size(), ending == Ending.CONTEXT_CLOSE);
                plays.add(new Play(moment, ending, scene));
            }
        }
        return plays;
    }

    private static void awaitAll(List<Play> plays) throws InterruptedException {
        for (Play play : plays) {
            play.awaitEntered(LOSS);
        }
    }

    private static List<String> verdicts(List<Play> plays) throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        plays.forEach(Play::raise);
        for (Play play : plays) {
            Optional.ofNullable(play.wrongAtTheEnding()).ifPresent(wrong::add);
        }
        plays.forEach(Play::closeAll);
        for (Play play : plays) {
            Optional.ofNullable(play.wrongAtLast()).ifPresent(wrong::add);
        }
        return wrong;
    }

    private static void assertNoThreadLeft(Set<Thread> before) {
        await().atMost(Play.LIMIT).untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
    }

    /** Threads of the client and the provider by their names. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("metaq"))
                .collect(Collectors.toSet());
    }
}
