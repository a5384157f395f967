package io.metaq.broker.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection that says what it is told and no more, be it a request or the half of one. */
final class RawConnection implements AutoCloseable {
    private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");

    private final Socket socket;
    private final InputStream in;

    RawConnection(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawConnection send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        return this;
    }

    /** One answer, head and body, whose head says how long it is. */
    String answer() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the broker has ended the connection behind: " + head);
            }
            head.append((char) next);
        }
        Matcher length = CONTENT_LENGTH.matcher(head);
        int body = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return head + new String(in.readNBytes(body), ISO_8859_1);
    }

    /** Everything that is answered until the broker ends the connection. */
    String rest() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        in.transferTo(all);
        return all.toString(ISO_8859_1);
    }

    /** Takes so many bytes of what is answered, or fewer if the broker ends the connection before; returns how many. */
    int take(int bytes) throws IOException {
        return in.readNBytes(bytes).length;
    }

    /** Whether a part of an answer is here. */
    boolean answered() throws IOException {
        return in.available() > 0;
    }

    /** Ends the connection by a reset, as the system of a client does that has crashed. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
