package io.metaq.testkit.vector;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Cuts replies, and frames that come unasked, out of a stream. */
final class ReplyFrames {
    private ReplyFrames() {}

    /**
     * The next frame, header and body.
     *
     * @param wanted said in the failure when none comes
     */
    static byte[] read(InputStream in, String wanted) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try {
            int before = 0;
            for (int next = in.read(); ; next = in.read()) {
                if (next < 0) {
                    throw new IOException("the broker closed the connection; " + wanted);
                }
                frame.write(next);
                if (before == '\r' && next == '\n') {
                    break;
                }
                before = next;
            }
            String[] tokens = frame.toString(StandardCharsets.UTF_8).strip().split(" ");
            frame.write(in.readNBytes(length(tokens)));
            return frame.toByteArray();
        } catch (SocketTimeoutException e) {
            throw new IOException("no reply in time, got '" + Template.show(frame.toByteArray()) + "'; " + wanted, e);
        }
    }

    private static int length(String[] tokens) throws IOException {
        if (tokens.length == 4 && tokens[0].equals("result")) {
            return Integer.parseInt(tokens[2]);
        }
        if (tokens.length == 3 && tokens[0].equals("value")) {
            return Integer.parseInt(tokens[1]);
        }
        if (tokens.length == 7 && tokens[0].equals("message")) {
            return Integer.parseInt(tokens[6]);
        }
        if (tokens.length == 3 && tokens[0].equals("detached")) {
            return Integer.parseInt(tokens[2]);
        }
        throw new IOException("not the header of a reply: " + String.join(" ", tokens));
    }
}
