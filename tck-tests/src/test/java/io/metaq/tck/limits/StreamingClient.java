package io.metaq.tck.limits;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32;

/** Sends a body that it makes while it is sent, receives it and saves it: tells the checksum of what went and of what came. */
public final class StreamingClient {
    private static final long WAIT_MS = 60_000;

    private StreamingClient() {}

    /** @param arguments URI of the broker, length of the body in bytes */
    public static void main(String[] arguments) throws Exception {
        long length = Long.parseLong(arguments[1]);
        CRC32 sent = new CRC32();
        CRC32 saved = new CRC32();
        CRC32 read = new CRC32();
        try (Connection connection = new MetaQConnectionFactory(arguments[0]).createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            connection.start();
            Destination queue = session.createQueue("films");
            BytesMessage message = session.createBytesMessage();
            message.setObjectProperty("JMS_MetaQ_InputStream", new Made(length, sent));
            session.createProducer(queue).send(message);
            MessageConsumer consumer = session.createConsumer(queue);
            BytesMessage received = (BytesMessage) consumer.receive(WAIT_MS);
            received.setObjectProperty("JMS_MetaQ_SaveStream", new Summed(saved));
            byte[] buffer = new byte[100_000];
            for (int n = received.readBytes(buffer); n > 0; n = received.readBytes(buffer)) {
                read.update(buffer, 0, n);
            }
            received.acknowledge();
            System.out.println("length " + received.getBodyLength());
        }
        System.out.println("sent " + sent.getValue());
        System.out.println("saved " + saved.getValue());
        System.out.println("read " + read.getValue());
    }

    /** Bytes out of nothing, each 64 KiB different. */
    private static final class Made extends InputStream {
        private final CRC32 sum;
        private final long length;
        private long position;

        Made(long length, CRC32 sum) {
            this.length = length;
            this.sum = sum;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int count) {
            int n = (int) Math.min(count, length - position);
            if (n == 0 && count > 0) {
                return -1;
            }
            for (int i = 0; i < n; i++) {
                long at = position + i;
                into[offset + i] = (byte) (at * 31 + (at >> 16) * 7);
            }
            position += n;
            sum.update(into, offset, n);
            return n;
        }
    }

    private static final class Summed extends OutputStream {
        private final CRC32 sum;

        Summed(CRC32 sum) {
            this.sum = sum;
        }

        @Override
        public void write(int b) {
            sum.update(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            sum.update(bytes, offset, length);
        }
    }
}
