package io.metaq.tck.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that the Python, Ruby, .NET and PHP clients of MetaQ 1.4 and its dashboard send, and how they read replies. */
class OldProducersTest {
    private static BrokerProcess broker;

    @BeforeAll
    static void start(@TempDir Path directory) {
        broker =
                BrokerProcess.start(BrokerFiles.in(directory).osTopic("test", 2).osTopic("mixed", 1));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    /** They send six tokens, read the line, then as many bytes as it says, and use the tokens 0 and 2. */
    @Test
    void shouldTakeThePutWithoutChecksum() throws IOException {
        try (var wire = broker.wire()) {
            for (int i = 0; i < 5; i++) {
                String opaque = Integer.toString(OldProducer.FIRST_OPAQUE + i);
                wire.send("put test 1 5 0", opaque, bytes("hello"));
                var reply = wire.receive();
                assertThat(reply.opaque()).isEqualTo(opaque);
                assertThat(reply.code()).isEqualTo(200);
                String[] tokens = reply.text().split(" ");
                assertThat(Long.parseLong(tokens[0])).isNotNegative();
                assertThat(tokens[2]).isEqualTo(Integer.toString(25 * i));
            }
        }
    }

    /** A heartbeat between two sends. */
    @Test
    void shouldAnswerTheHeartbeatOfThePythonClient() throws IOException {
        try (var wire = broker.wire()) {
            wire.sendRaw(bytes("version -2147483647\r\n"));
            var reply = wire.receive();
            assertThat(reply.opaque()).isEqualTo("-2147483647");
            assertThat(reply.code()).isEqualTo(200);
            assertThat(reply.text()).isNotBlank();
        }
    }

    /** An attribute goes before the payload, after its length, and is told by bit 0 of the flag. */
    @Test
    void shouldKeepAnAttributeAsItWasSent() throws IOException {
        try (var wire = broker.wire()) {
            wire.sendRaw(bytes("put mixed 0 15 1 7\r\n\0\0\0\4attrpayload"));
            assertThat(wire.receive().code()).isEqualTo(200);
            var stored = LogReader.read(wire, "mixed", 0, 0).get(0);
            assertThat(stored.flag()).isEqualTo(1);
            assertThat(stored.body()).isEqualTo(bytes("\0\0\0\4attrpayload"));
        }
    }

    /** A request may come in any pieces. */
    @Test
    void shouldTakeAFrameByteByByte() throws IOException {
        try (var wire = broker.wire()) {
            for (byte one : bytes("put test 0 3 0 9\r\nabc")) {
                wire.sendRaw(new byte[] {one});
            }
            assertThat(wire.receive().code()).isEqualTo(200);
        }
    }

    /** PHP sends one opaque for all its requests. */
    @Test
    void shouldAnswerRepeatedOpaquesInOrder() throws IOException {
        try (var wire = broker.wire()) {
            for (int i = 0; i < 3; i++) {
                wire.send("offset test g 0 0", "1", new byte[0]);
                assertThat(wire.receive().opaque()).isEqualTo("1");
            }
        }
    }

    /** The dashboard writes both at once and reads to the end: the quit must not lose the answer before it. */
    @Test
    void shouldAnswerStatsBeforeTheQuitBehindIt() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(bytes("stats config\r\nquit\r\n"));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(all).startsWith("result 200 ").contains("[system]").contains("serverPort=" + broker.port());
        }
    }

    /** A test of the Ruby client sends a verb that does not exist and expects the connection to end. */
    @Test
    void shouldCloseTheConnectionAtAnUnknownVerb() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(bytes("unknown\r\n"));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** Puts that were sent without waiting are stored in the order they were sent, which 1.4 did not do. */
    @Test
    void shouldStorePipelinedPutsInOrder() throws IOException {
        try (Wire wire = broker.wire()) {
            for (int i = 100; i < 300; i++) {
                wire.send("put mixed 0 3 0", Integer.toString(i), bytes(Integer.toString(i)));
            }
            long offset = -1;
            for (int i = 100; i < 300; i++) {
                var reply = wire.receive();
                assertThat(reply.opaque()).isEqualTo(Integer.toString(i));
                long next = Long.parseLong(reply.text().split(" ")[2]);
                assertThat(next).isGreaterThan(offset);
                offset = next;
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
