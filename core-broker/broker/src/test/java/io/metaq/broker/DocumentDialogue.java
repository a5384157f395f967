package io.metaq.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A dialogue of the protocol document, held with a broker: lines that begin with {@code →} are typed, {@code ⇒} is bytes in hex, the
 * rest are frames that have to come, in any order, before what is typed next; and no others.
 */
record DocumentDialogue(int line, String text) {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\n(.*?)^```");
    private static final Pattern HEADER = Pattern.compile("(result|value|message|detached) .*");

    /** What is another thing each time: four dots for the header of a message, one for anything, examples of ids, times and versions. */
    private static final Pattern VARYING = Pattern.compile("…{4}|…|\\b47\\d\\d(?= )|\\b17644608\\d{5}\\b|2\\.0\\.0");

    /** All of a document, in its order. */
    static List<DocumentDialogue> in(String document) {
        return BLOCK.matcher(document)
                .results()
                .filter(found -> found.group(1).lines().anyMatch(line -> line.startsWith("→ ")))
                .map(found -> new DocumentDialogue(
                        (int) document.substring(0, found.start()).lines().count() + 1, found.group(1)))
                .toList();
    }

    boolean encrypted() {
        return text.startsWith("$ openssl ");
    }

    /** Says good-bye at the end, if the dialogue does not, and waits for the end: whoever comes next finds the connection gone. */
    void hold(Socket socket) throws IOException {
        socket.setSoTimeout(20_000);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        List<String> expected = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (line.startsWith("→ ") || line.startsWith("⇒ ")) {
                expect(expected, in);
                out.write(typed(line));
            } else if (HEADER.matcher(line).matches()) {
                expected.add(line);
            } else if (!expected.isEmpty()) {
                int last = expected.size() - 1;
                expected.set(last, expected.get(last) + "\n" + line);
            }
        }
        expect(expected, in);
        if (!text.contains("→ quit\n")) {
            out.write("quit\r\n".getBytes(UTF_8));
        }
        assertThat(new String(in.readAllBytes(), ISO_8859_1))
                .as("behind the last frame")
                .isEmpty();
    }

    private static byte[] typed(String line) {
        return line.startsWith("→ ")
                ? (line.substring(2) + "\r\n").getBytes(UTF_8)
                : HexFormat.of().parseHex(line.substring(2).replace(" ", ""));
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
        return header.toString().strip() + "\n" + new String(body, ISO_8859_1);
    }

    /** A reply that holds what varies may have another length than in the document. */
    private static Pattern form(String wanted) {
        String header = wanted.lines().findFirst().orElseThrow();
        String body = wanted.substring(header.length());
        boolean varies = VARYING.matcher(body.replace("…………", "")).find();
        String head = varies ? header.replaceFirst("^(result \\d+) \\S+ (.*)", "$1 \\\\d+ $2") : Pattern.quote(header);
        // What has frames of data varies in their headers alone.
        return Pattern.compile(head + form(body, 0), Pattern.DOTALL);
    }

    private static String form(String body, int from) {
        StringBuilder form = new StringBuilder();
        int at = from;
        for (MatchResult part : VARYING.matcher(body).results().toList()) {
            form.append(literal(body.substring(at, part.start())));
            form.append(
                    switch (part.group()) {
                        case "…………" -> "[\\x00-\\xff]{20}";
                        case "…" -> ".*?";
                        default -> "[\\w.-]+";
                    });
            at = part.end();
        }
        return form.append(literal(body.substring(at))).append("\\s*").toString();
    }

    /** The ends of lines within a text are CR LF, between header and text there is one in the document. */
    private static String literal(String text) {
        return List.of(text.split("\n", -1)).stream()
                .map(line -> line.isEmpty() ? "" : Pattern.quote(line))
                .collect(Collectors.joining("\\r?\\n"));
    }

    @Override
    public String toString() {
        return "line " + line;
    }
}
