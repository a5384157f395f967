package io.metaq.tck.languages;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.testkit.net.FreePort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever one way to use MetaQ sends, each other way receives as what it was: all bodies, properties and headers. */
class CrossTest {
    private static final Map<String, Party> PARTIES = new LinkedHashMap<>();

    private static BrokerProcess broker;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        BrokerFiles files =
                BrokerFiles.in(directory).set("maxMessageSize", 16 << 20).set("journalSegmentSize", 64 << 20);
        for (String from : names()) {
            for (String to : names()) {
                files.topic(queue(from, to), Map.of("kind", "queue", "numPartitions", "1", "unflushThreshold", "1000"));
            }
        }
        int adminPort = FreePort.find();
        files.set("adminPort", adminPort);
        broker = BrokerProcess.start(files);
        PARTIES.put("jms", new JmsParty(broker.port()));
        PARTIES.put("java", new JavaClientParty(broker.port()));
        PARTIES.put("http", new HttpParty(adminPort));
        for (Language language : Language.values()) {
            if (language.isInstalled()) {
                PARTIES.put(name(language), new DriverParty(language, broker.port()));
            } else {
                System.out.println("no messages to and from " + name(language) + ": " + language.absence());
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (Party party : PARTIES.values()) {
            party.close();
        }
        broker.close();
    }

    private static List<String> names() {
        return List.of("jms", "java", "python", "ruby", "http");
    }

    private static String name(Language language) {
        return language.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String queue(String from, String to) {
        return "from-" + from + "-to-" + to;
    }

    static Stream<Arguments> pairs() {
        return PARTIES.keySet().stream()
                .flatMap(from -> PARTIES.keySet().stream().map(to -> Arguments.of(from, to)));
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void shouldReceiveWhatWasSent(String from, String to) throws Exception {
        List<Described> sent = Messages.all();
        String queue = queue(from, to);
        PARTIES.get(from).send(queue, sent);
        List<Described> received = PARTIES.get(to).receive(queue, sent.size());

        List<String> missing =
                new ArrayList<>(sent.stream().map(Described::canonical).toList());
        List<String> surplus = new ArrayList<>();
        for (Described message : received) {
            if (!missing.remove(message.canonical())) {
                surplus.add(message.canonical());
            }
        }
        assertThat(surplus)
                .as("received and not sent so; sent and not received so: %s", missing)
                .isEmpty();
        assertThat(missing).as("sent and not received").isEmpty();
    }
}
