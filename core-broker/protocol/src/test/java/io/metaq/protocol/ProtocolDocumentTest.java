package io.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.metaq.protocol.codec.RequestDecoder;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The document and the code say the same: nothing is in one that is not in the other. */
class ProtocolDocumentTest {
    @Test
    void shouldSayWhatTheCodeSays() throws IOException {
        assertThat(new ProtocolDocument(ProtocolDocument.read()).differences()).isEmpty();
    }

    /** A difference: what stands in the document, and what would stand there instead. */
    static Stream<Arguments> plantedDifferences() {
        return Stream.of(
                arguments("### drain", "### dry"),
                arguments("### sync", "### sink\n\n### sync"),
                arguments("| 409 | CONFLICT", "| 410 | CONFLICT"),
                arguments("| 503 | BUSY", "| 503 | SLEEPY"),
                arguments("| no | caller: send less", "| yes | caller: send less"),
                arguments("| no | caller: send less", "| no | client: send less"),
                arguments("| 507 | STORAGE_FULL", "| 599 | NEW | new | no | caller |\n| 507 | STORAGE_FULL"),
                arguments("topic scrub    NAME", "topic scour    NAME"),
                arguments("tx forget   KEY OPQ", "tx forget   KEY OPQ\ntx undo     KEY OPQ"),
                arguments("subscription explain  NAME OPQ [selector=S]", "subscription explain  NAME OPQ"),
                arguments("group leave    G OPQ member=M", "group leave    G OPQ member=M now=true"),
                arguments("→ subscription redrive", "→ subscription"),
                arguments("| `get-wait` |", "| `get-weight` |"),
                arguments("transaction,routes\n", "transaction\n"),
                arguments("[wait=MS] [min=BYTES]", "[wait=MS]"),
                arguments("[reply=no]", "[reply=no] [late=yes]"),
                arguments("→ reject", "→ accept"),
                arguments("| `RECOVER` |", "| `RECOUP` |"),
                arguments("| `browse` |", "| `look` |"),
                arguments("kind=queue|durable|", "kind=queue|"),
                arguments("16,384 bytes", "16,385 bytes"),
                arguments("result 200 5 5\n", "result 200 6 5\n"));
    }

    /** A check that finds nothing must be able to find something. */
    @ParameterizedTest
    @MethodSource("plantedDifferences")
    void shouldNoticeADifference(String from, String to) throws IOException {
        String document = ProtocolDocument.read();
        assertThat(document.contains(from)).as("there is something to change").isTrue();
        assertThat(new ProtocolDocument(document.replace(from, to)).differences())
                .isNotEmpty();
    }

    static Stream<Verb> withOptions() {
        return Arrays.stream(Verb.values()).filter(verb -> !verb.options().isEmpty());
    }

    /** What a verb says of its options is what its parser takes. */
    @ParameterizedTest
    @MethodSource("withOptions")
    void shouldTakeTheOptionsThatVerbsList(Verb verb) {
        Map<Verb, String> headers = Map.of(
                Verb.APPEND, "append t 0 1 0 1",
                Verb.GET, "get t g 0 0 1 1",
                Verb.OFFSET, "offset t g 0 0 1",
                Verb.ATTACH, "attach 1 n 1",
                Verb.ACK, "ack 1 0:0-1 1",
                Verb.REJECT, "reject 1 0:0-1 1",
                Verb.DETACH, "detach 1 1",
                Verb.TRANSACT, "transact 0 1",
                Verb.ENLIST, "enlist TX:s:1 0 1",
                Verb.LOGIN, "login u 1");
        if (verb == Verb.VERSION || verb == Verb.TRANSACTION) {
            return; // the one passes unknown options over, of the other they are malformed
        }
        String header = headers.getOrDefault(verb, "");
        for (String option : verb.options()) {
            assertThat(refusal(header + " " + option + "=%")).as(option).doesNotContain("unknown option");
        }
        assertThat(refusal(header + " nosuch=1")).contains("unknown option").contains(verb.options());
    }

    private static String refusal(String header) {
        EmbeddedChannel broker = new EmbeddedChannel(new RequestDecoder(Limits.DEFAULT));
        broker.writeInbound(Unpooled.copiedBuffer(header + "\r\n", StandardCharsets.UTF_8));
        Request request = broker.readInbound();
        return request instanceof Request.Rejected rejected ? rejected.text() : String.valueOf(request);
    }
}
