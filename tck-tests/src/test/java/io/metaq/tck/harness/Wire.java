package io.metaq.tck.harness;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The protocol as text and bytes over a blocking socket: written from the protocol document alone, so that it does not share
 * the client's mistakes. One thread may send while another receives.
 */
public final class Wire implements AutoCloseable {
    private static final int TIMEOUT_MS = 20_000;

    /** A reply. {@code code} is 200 for a {@code value} frame. */
    public record Reply(int code, String opaque, byte[] body) {
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        public boolean ok() {
            return code == 200;
        }
    }

    private final Socket socket;
    private final InputStream in;
    private int opaque;

    private Wire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    }

    public static Wire connect(int port) throws IOException {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    public static Wire connect(String host, int port) throws IOException {
        return connect(new InetSocketAddress(host, port));
    }

    private static Wire connect(InetSocketAddress address) throws IOException {
        var socket = new Socket();
        socket.connect(address, TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        return new Wire(socket);
    }

    /** How long a reply may be awaited from now on. */
    public void timeout(Duration timeout) throws IOException {
        socket.setSoTimeout((int) timeout.toMillis());
    }

    /** Sends a command, its line without opaque and line end, and waits for the reply. */
    public Reply ask(String command) throws IOException {
        return ask(command, new byte[0]);
    }

    /** Sends a command with a body and waits for the reply. */
    public Reply ask(String command, byte[] body) throws IOException {
        String number = Integer.toString(++opaque);
        send(command, number, body);
        Reply reply = receive();
        if (!reply.opaque().equals(number)) {
            throw new IOException("reply to %s instead of %s: %s".formatted(reply.opaque(), number, reply.text()));
        }
        return reply;
    }

    /** Like {@link #ask(String)} with the opaque in the middle: the options of protocol 2 come after it. */
    public Reply askWithOptions(String command, String options, byte[] body) throws IOException {
        String number = Integer.toString(++opaque);
        send(command, number + " " + options, body);
        return receive();
    }

    /** Sends a command without waiting; {@code tail} is the opaque and what follows it. */
    public void send(String command, String tail, byte[] body) throws IOException {
        byte[] line = (command + " " + tail + "\r\n").getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[line.length + body.length];
        System.arraycopy(line, 0, frame, 0, line.length);
        System.arraycopy(body, 0, frame, line.length, body.length);
        sendRaw(frame);
    }

    public void sendRaw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** The next reply; an {@link EOFException} if the broker closed the connection. */
    public Reply receive() throws IOException {
        String[] head = readLine().split(" ");
        if (head[0].equals("value")) {
            return new Reply(200, head[2], readFully(Integer.parseInt(head[1])));
        }
        return new Reply(Integer.parseInt(head[1]), head[3], readFully(Integer.parseInt(head[2])));
    }

    private byte[] readFully(int length) throws IOException {
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("closed inside a reply");
        }
        return body;
    }

    private String readLine() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("closed");
            }
            line.append((char) c);
        }
        return line.substring(0, line.length() - 1);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
