package io.metaq.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.testkit.vector.VectorFile;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the protocol document says one can type does what it says: each session that begins with {@code $ nc} is held. */
class DocumentExamplesTest {
    private static final Pattern SESSION = Pattern.compile("(?ms)^```\n\\$ nc [^\n]*\n(.*?)^```");
    private static final Pattern HEADER = Pattern.compile("(result|value|message|detached) .*");

    /** Ids and version texts of the document are examples. */
    private static final Pattern VARYING = Pattern.compile("47\\d\\d(?= )|2\\.0\\.0");

    @TempDir
    static Path dir;

    private static Broker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir)
                .serverPort(0)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .build());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    static Stream<String> sessions() throws IOException {
        Path document = VectorFile.repositoryDirectory().resolveSibling("PROTOCOL.md");
        List<String> sessions = SESSION.matcher(Files.readString(document))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(sessions).hasSizeGreaterThanOrEqualTo(3);
        return sessions.stream();
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void shouldAnswerWhatIsTypedAsTheDocumentSays(String session) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", broker.port())) {
            socket.setSoTimeout(20_000);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            List<String> expected = new ArrayList<>();
            for (String line : session.split("\n")) {
                if (line.startsWith("→ ")) {
                    expect(expected, in);
                    socket.getOutputStream().write((line.substring(2) + "\r\n").getBytes(UTF_8));
                } else if (HEADER.matcher(line).matches()) {
                    expected.add(line);
                } else {
                    int last = expected.size() - 1;
                    expected.set(last, expected.get(last) + "\n" + line);
                }
            }
            expect(expected, in);
            assertThat(in.read()).as("the end of the connection behind quit").isEqualTo(-1);
        }
    }

    /** Replies come in any order. */
    private static void expect(List<String> expected, DataInputStream in) throws IOException {
        List<String> received = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            received.add(frame(in));
        }
        for (String wanted : expected) {
            assertThat(received)
                    .as(wanted)
                    .anyMatch(frame -> form(wanted).matcher(frame).matches());
        }
        expected.clear();
    }

    private static String frame(DataInputStream in) throws IOException {
        StringBuilder header = new StringBuilder();
        while (!header.toString().endsWith("\r\n")) {
            header.append((char) in.readByte());
        }
        String[] tokens = header.toString().strip().split(" ");
        int place = switch (tokens[0]) {
            case "message" -> 6;
            case "value" -> 1;
            default -> 2;
        };
        byte[] body = new byte[Integer.parseInt(tokens[place])];
        in.readFully(body);
        return header.toString().strip() + "\n" + new String(body, StandardCharsets.ISO_8859_1).replace("\r\n", "\n");
    }

    /** Dots stand for the 20 bytes of a message's header; a reply that holds an id may be longer than in the document. */
    private static Pattern form(String wanted) {
        boolean varies = VARYING.matcher(wanted).find();
        StringBuilder form = new StringBuilder();
        int at = 0;
        for (MatchResult part : Pattern.compile("(?<=^result 200 )\\d+|…+|" + VARYING.pattern())
                .matcher(wanted)
                .results()
                .toList()) {
            form.append(Pattern.quote(wanted.substring(at, part.start())));
            boolean length = part.start() == "result 200 ".length();
            if (part.group().startsWith("…")) {
                form.append("[\\x00-\\xff]{20}");
            } else {
                form.append(length && !varies ? part.group() : length ? "\\d+" : "[\\w.-]+");
            }
            at = part.end();
        }
        return Pattern.compile(form + Pattern.quote(wanted.substring(at)) + "\\s*", Pattern.DOTALL);
    }
}
