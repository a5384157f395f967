package io.metaq.broker.subscription;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The body of {@code transact} and {@code enlist}, as the protocol writes it down. */
final class Parts {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    Parts message(String topic, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try {
            out.writeByte(1);
            out.writeUTF(topic);
            out.writeInt(0);
            out.writeInt(1);
            out.writeInt(20 + body.length);
            out.writeInt(body.length);
            out.writeInt(-1);
            out.writeLong(0);
            out.writeInt(0);
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Acknowledges what the inbox of the consumer got. */
    Parts acknowledge(Wire.Seat consumer, Inbox inbox) {
        try {
            out.writeByte(2);
            out.writeInt(consumer.number());
            out.writeInt(inbox.got.size());
            for (Inbox.Got got : inbox.got) {
                out.writeInt(got.partition());
                out.writeLong(got.offset());
                out.writeLong(got.end());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
