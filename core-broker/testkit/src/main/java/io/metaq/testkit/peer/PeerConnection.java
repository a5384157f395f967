package io.metaq.testkit.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One client's connection, to answer on: at once, later, wrongly, in pieces, or never. Any thread. */
public final class PeerConnection {
    private final Socket socket;

    PeerConnection(Socket socket) {
        this.socket = socket;
    }

    public void result(int code, String text, int opaque) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        raw(frame("result " + code + " " + body.length + " " + opaque + "\r\n", body));
    }

    public void value(byte[] body, int opaque) {
        raw(frame("value " + body.length + " " + opaque + "\r\n", body));
    }

    /** Messages for a consumer, unasked. */
    public void message(int consumer, int partition, long offset, int delivery, PeerMessage... messages) {
        byte[] body = PeerMessage.bytes(List.of(messages));
        String head = "message " + consumer + " " + partition + " " + offset + " " + messages.length + " " + delivery
                + " " + body.length + "\r\n";
        raw(frame(head, body));
    }

    /** The end of a consumer, unasked. */
    public void detached(int consumer, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        raw(frame("detached " + consumer + " " + body.length + "\r\n", body));
    }

    /** Bytes as they are, for what no decent broker sends. */
    public synchronized void raw(byte[] bytes) {
        try {
            // In one step: who has been answered may be gone the moment after.
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("the client is gone", e);
        }
    }

    /** The connection ends as by a broker that stops. */
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The connection ends as by a machine that fails: with a reset. */
    public void reset() {
        if (socket.isClosed()) {
            return;
        }
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        close();
    }

    public boolean closed() {
        return socket.isClosed();
    }

    private static byte[] frame(String head, byte[] body) {
        byte[] start = head.getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[start.length + body.length];
        System.arraycopy(start, 0, whole, 0, start.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }
}
