package io.metaq.testkit.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Verb;
import io.metaq.protocol.codec.RequestDecoder;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each reply that a vector shows to a command is in the document's table of the command's replies. */
class DocumentedRepliesTest {
    private static final Pattern RESULT = Pattern.compile("result (\\d+) \\S+ (-?\\d+)\r\n", Pattern.DOTALL);

    @Test
    void shouldHaveEveryReplyOfTheVectorsInTheTables() throws IOException {
        String document = Files.readString(VectorFile.repositoryDirectory().resolveSibling("PROTOCOL.md"));
        String common = section(document, "What any command may get");
        TreeSet<String> undocumented = new TreeSet<>();
        int seen = 0;
        for (ByteVector vector : VectorFile.readAll(VectorFile.repositoryDirectory())) {
            Map<Integer, Verb> asked = new HashMap<>();
            EmbeddedChannel decoder = new EmbeddedChannel(new RequestDecoder(Limits.DEFAULT));
            for (ByteVector.Exchange exchange : vector.exchanges()) {
                exchange.sent().forEach(piece -> verbs(decoder, piece.sample(), asked));
                for (Template reply : exchange.expected()) {
                    Matcher result = RESULT.matcher(new String(reply.sample(), StandardCharsets.ISO_8859_1));
                    Verb verb = result.lookingAt() ? asked.get(Integer.parseInt(result.group(2))) : null;
                    if (verb != null && verb != Verb.QUIT) {
                        seen++;
                        String code = "`" + result.group(1) + "`";
                        if (!table(section(document, verb.word())).contains(code) && !common.contains(code)) {
                            undocumented.add(verb.word() + " " + code + " (" + vector + ")");
                        }
                    }
                }
            }
        }
        assertThat(seen).isGreaterThan(200);
        assertThat(undocumented).isEmpty();
    }

    private static void verbs(EmbeddedChannel decoder, byte[] bytes, Map<Integer, Verb> asked) {
        try {
            decoder.writeInbound(Unpooled.copiedBuffer(bytes));
        } catch (ProtocolException e) {
            assertThat(e.status()).as("a malformed frame is refused").isNotNull();
        }
        for (Request next = decoder.readInbound(); next != null; next = decoder.readInbound()) {
            asked.put(next.opaque(), next.verb());
            next.release();
        }
    }

    /** The rows of tables, without what is prose. */
    private static String table(String section) {
        return String.join(
                "\n", section.lines().filter(line -> line.startsWith("| `")).toList());
    }

    private static String section(String document, String title) {
        int from = document.indexOf("\n### " + title + "\n");
        assertThat(from).as(title).isPositive();
        return document.substring(from, document.indexOf("\n##", from + 5));
    }
}
