package io.metaq.testkit.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptedPeerTest {
    private static Socket connect(ScriptedPeer peer) throws IOException {
        Socket socket = new Socket("127.0.0.1", peer.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    @Test
    void shouldAnswerAsScripted() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.start();
                Socket socket = connect(peer)) {
            peer.next("put", Answer.result(503, "busy")).always("put", Answer.result(200, "7 0 0"));
            send(socket, "put t 0 5 0 1\r\nhelloput t 0 5 0 -2\r\nagain");
            assertThat(read(socket, 20 + 22)).isEqualTo("result 503 4 1\r\nbusyresult 200 5 -2\r\n7 0 0");
            assertThat(peer.await("put", 2)).extracting(PeerRequest::text).containsExactly("hello", "again");
        }
    }

    @Test
    void shouldTellFromNegotiation() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.start();
                Socket socket = connect(peer)) {
            peer.always("version", Answer.version2(3, "append"));
            send(socket, "version 1 protocol=2 client=me\r\n");
            assertThat(read(socket, 32)).startsWith("result 200 ").contains("2.0.0\r\nprotocol");
            assertThat(peer.await("version", 1).get(0).option("client")).isEqualTo("me");
        }
    }

    @Test
    void shouldFailWhenNothingIsScripted() throws IOException {
        ScriptedPeer peer = ScriptedPeer.start();
        try (Socket socket = connect(peer)) {
            send(socket, "quit\r\n");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThatThrownBy(peer::close).isInstanceOf(AssertionError.class).hasMessageContaining("quit");
    }

    @Test
    void shouldEndConnectionsAsMachinesDo() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.start();
                Socket socket = connect(peer)) {
            peer.awaitConnections(1);
            peer.resetConnections();
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldReadMessagesBack() {
        List<PeerMessage> messages =
                List.of(PeerMessage.of(1, "hello"), PeerMessage.withAttribute(2, "attr", "payload"));
        byte[] bytes = PeerMessage.bytes(messages);
        assertThat(bytes).hasSize(25 + 35);
        assertThat(PeerMessage.checksum("hello".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(907060870);
        assertThat(PeerMessage.read(bytes)).extracting(PeerMessage::id).containsExactly(1L, 2L);
        bytes[22]++;
        assertThatThrownBy(() -> PeerMessage.read(bytes)).hasMessageContaining("checksum");
    }
}
