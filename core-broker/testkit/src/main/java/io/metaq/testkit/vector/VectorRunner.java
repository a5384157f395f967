package io.metaq.testkit.vector;

import io.metaq.testkit.vector.ByteVector.Exchange;
import io.metaq.testkit.vector.ByteVector.Mark;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Plays vectors against a broker. Vectors build on what those before them stored, so they need a fresh broker and their own order;
 * {@code vectors/README.md} says how it has to be configured.
 */
public final class VectorRunner {
    private static final int TIMEOUT_MS = 10_000;

    /** Sent behind a vector to see that the broker is done with it: no reply too many, and the frames still fit together. */
    private static final String PROBE = "version 2023406814\r\n";

    private static final Template PROBED = Template.parse("result 200 {len} 2023406814\\r\\n{text}");

    private final InetSocketAddress broker;
    private final Map<String, Long> known = new HashMap<>();

    private VectorRunner(InetSocketAddress broker) {
        this.broker = broker;
    }

    /**
     * Plays all vectors of a directory.
     *
     * @throws AssertionError that lists every vector the broker failed
     */
    public static void run(Path vectors, String host, int port) {
        VectorRunner runner = new VectorRunner(new InetSocketAddress(host, port));
        List<String> failures = new ArrayList<>();
        for (ByteVector vector : VectorFile.readAll(vectors)) {
            String failure = vector.is(Mark.CODEC) ? "" : runner.failure(vector);
            if (!failure.isEmpty()) {
                failures.add(vector + "\n    " + failure);
            }
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.size() + " vectors failed:\n" + String.join("\n", failures));
        }
    }

    /** What went wrong, empty if nothing did. */
    private String failure(ByteVector vector) {
        try (Socket socket = new Socket()) {
            socket.connect(broker, TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            play(vector, socket);
            return "";
        } catch (IOException | AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void play(ByteVector vector, Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        for (Exchange exchange : vector.exchanges()) {
            for (Template piece : exchange.sent()) {
                socket.getOutputStream().write(piece.sample());
                socket.getOutputStream().flush();
            }
            receive(exchange.expected(), in);
        }
        if (vector.is(Mark.CLOSED) || vector.is(Mark.MALFORMED)) {
            expectEnd(in);
        } else if (!vector.is(Mark.INCOMPLETE)) {
            socket.getOutputStream().write(PROBE.getBytes(StandardCharsets.US_ASCII));
            receive(List.of(PROBED), in);
        }
    }

    private void receive(List<Template> expected, InputStream in) throws IOException {
        List<Template> open = new ArrayList<>(expected);
        while (!open.isEmpty()) {
            byte[] reply = ReplyFrames.read(in, "still expected: " + open);
            boolean matched = false;
            for (Iterator<Template> candidates = open.iterator(); !matched && candidates.hasNext(); ) {
                if (candidates.next().matches(reply, known)) {
                    candidates.remove();
                    matched = true;
                }
            }
            if (!matched) {
                throw new AssertionError(
                        "got      " + Template.show(reply) + "\n    expected " + open + "\n    with     " + known);
            }
        }
    }

    private static void expectEnd(InputStream in) throws IOException {
        int next;
        try {
            next = in.read();
        } catch (SocketException e) {
            // A reset: the broker closed while bytes of ours were still unread there.
            return;
        }
        if (next >= 0) {
            throw new AssertionError(
                    "a reply where the connection should be closed, it begins with '" + (char) next + "'");
        }
    }
}
