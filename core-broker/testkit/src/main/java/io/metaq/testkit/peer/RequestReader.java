package io.metaq.testkit.peer;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads requests off a stream, the plain way. */
final class RequestReader {
    private final InputStream in;

    RequestReader(InputStream in) {
        this.in = in;
    }

    /** The next request, or null at the end of the stream. */
    @Nullable
    PeerRequest read() throws IOException {
        String line = readLine();
        if (line == null) {
            return null;
        }
        List<String> tokens = List.of(line.split(" "));
        byte[] body = in.readNBytes(bodyLength(tokens));
        return new PeerRequest(tokens, body);
    }

    private static int bodyLength(List<String> tokens) {
        return switch (tokens.get(0)) {
            case "put", "sync" -> Integer.parseInt(tokens.get(3));
            case "append" -> Integer.parseInt(tokens.get(4));
            case "transact" -> Integer.parseInt(tokens.get(1));
            case "enlist" -> Integer.parseInt(tokens.get(2));
            default -> 0;
        };
    }

    private @Nullable String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int before = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (before == '\r' && next == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                return text.substring(0, text.length() - 1);
            }
            line.write(next);
            before = next;
        }
        if (line.size() > 0) {
            throw new EOFException("the client left in the middle of a line: " + line.toString(StandardCharsets.UTF_8));
        }
        return null;
    }
}
