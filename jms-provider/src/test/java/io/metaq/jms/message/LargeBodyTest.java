package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.message.HeaderField;
import io.metaq.message.LargePayload;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LargeBodyTest {
    private static final int CHUNK = LargePayload.CHUNK_BYTES;

    private final InMemory bodies = new InMemory();

    /** Chunks in a list; the offset is the index. */
    private static final class InMemory implements LargeBodies {
        private final List<byte[]> chunks = new ArrayList<>();
        private int fetched;

        @Override
        public int threshold() {
            return 1000;
        }

        @Override
        public StoredBody store(MetaQDestination destination, InputStream body) throws JMSException {
            List<Long> offsets = new ArrayList<>();
            long length = 0;
            try {
                for (byte[] c = body.readNBytes(CHUNK); c.length > 0; c = body.readNBytes(CHUNK)) {
                    offsets.add((long) chunks.size());
                    chunks.add(c);
                    length += c.length;
                }
            } catch (IOException e) {
                throw new JMSException(e.toString());
            }
            String topic = destination.name() + LargePayload.COMPANION_SUFFIX;
            return new StoredBody(
                    topic, 0, length, offsets.stream().mapToLong(o -> o).toArray());
        }

        @Override
        public byte[] chunk(String topic, int partition, long offset) {
            assertThat(topic).isEqualTo("q.large");
            fetched++;
            return chunks.get((int) offset);
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @SuppressWarnings("unchecked")
    private <M extends MetaQMessage> M transferred(M message) throws JMSException {
        Encoded encoded = message.encode(Transfer.HEADERS, bodies);
        assertThat(encoded.body().length).isLessThan(2000);
        return (M) new MessageDecoder(AllowedClasses.DEFAULT, bodies)
                .decode(Transfer.QUEUE, 1, encoded.flag(), ByteBuffer.wrap(encoded.body()), 1);
    }

    private static BytesMessage streaming(InputStream in) throws JMSException {
        MetaQBytesMessage message = new MetaQBytesMessage();
        message.setObjectProperty("JMS_MetaQ_InputStream", in);
        return message;
    }

    @Test
    void shouldReadLargeBodiesOfAnyLengthChunkByChunk() throws Exception {
        for (int length : new int[] {1000, 1001, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5}) {
            byte[] sent = random(length);
            BytesMessage received = transferred((MetaQBytesMessage) streaming(new ByteArrayInputStream(sent)));
            assertThat(received.getBodyLength()).isEqualTo(length);
            byte[] read = new byte[length];
            int at = 0;
            byte[] buffer = new byte[70_000];
            for (int n = received.readBytes(buffer); n > 0; n = received.readBytes(buffer)) {
                System.arraycopy(buffer, 0, read, at, n);
                at += n;
            }
            assertThat(read).isEqualTo(sent);
            assertThatThrownBy(received::readByte).isInstanceOf(MessageEOFException.class);
            received.reset();
            assertThat(received.readLong()).isEqualTo(ByteBuffer.wrap(sent).getLong());
            assertThat(received.getBody(byte[].class)).isEqualTo(sent);
        }
    }

    @Test
    void shouldFetchNothingBeforeItIsRead() throws Exception {
        BytesMessage received = transferred((MetaQBytesMessage) streaming(new ByteArrayInputStream(random(5 * CHUNK))));
        assertThat(received.getBodyLength()).isEqualTo(5 * CHUNK);
        assertThat(bodies.fetched).isZero();
        received.readLong();
        received.readLong();
        assertThat(bodies.fetched).isEqualTo(1);
    }

    @Test
    void shouldReadNumbersAcrossChunks() throws Exception {
        MetaQBytesMessage message = new MetaQBytesMessage();
        message.writeBytes(new byte[CHUNK - 3]);
        message.writeLong(0x0102030405060708L);
        message.writeUTF("text");
        BytesMessage received = transferred(message);
        received.readBytes(new byte[CHUNK - 3]);
        assertThat(received.readLong()).isEqualTo(0x0102030405060708L);
        assertThat(received.readUTF()).isEqualTo("text");
    }

    @Test
    void shouldKeepSmallStreamsInTheMessage() throws Exception {
        BytesMessage message = streaming(new ByteArrayInputStream(random(1000)));
        Encoded encoded = ((MetaQBytesMessage) message).encode(Transfer.HEADERS, bodies);
        assertThat(MessageFlags.has(encoded.flag(), MessageFlags.LARGE)).isFalse();
        assertThat(bodies.chunks).isEmpty();
    }

    @Test
    void shouldGiveTheBodyAsStreamAndSaveIt() throws Exception {
        byte[] sent = random(2 * CHUNK + 7);
        BytesMessage received = transferred((MetaQBytesMessage) streaming(new ByteArrayInputStream(sent)));
        received.readLong();
        InputStream in = (InputStream) received.getObjectProperty("JMS_MetaQ_InputStream");
        assertThat(in.read()).isEqualTo(sent[0] & 0xFF);
        assertThat(in.skip(CHUNK)).isEqualTo(CHUNK);
        assertThat(in.readAllBytes()).hasSize(sent.length - 1 - CHUNK);
        assertThat(in.read()).isEqualTo(-1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        received.setObjectProperty("JMS_MetaQ_SaveStream", out);
        assertThat(out.toByteArray()).isEqualTo(sent);
        assertThat(received.getPropertyNames().hasMoreElements()).isTrue();
        assertThat(received.propertyExists("JMS_MetaQ_SaveStream")).isFalse();
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("disk full");
            }
        };
        assertThatThrownBy(() -> received.setObjectProperty("JMS_MetaQ_SaveStream", full))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("disk full");
    }

    @Test
    void shouldKnowStreamsInTheRightStateOnly() throws Exception {
        MetaQBytesMessage message = new MetaQBytesMessage();
        assertThatThrownBy(() -> message.setObjectProperty("JMS_MetaQ_SaveStream", new ByteArrayOutputStream()))
                .isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.setObjectProperty("JMS_MetaQ_InputStream", new Object()))
                .isInstanceOf(MessageFormatException.class);
        message.writeBytes(random(2000));
        BytesMessage received = transferred(message);
        assertThatThrownBy(() -> received.setObjectProperty("JMS_MetaQ_InputStream", InputStream.nullInputStream()))
                .isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    void shouldSendStreamOnce() throws Exception {
        MetaQBytesMessage message = (MetaQBytesMessage) streaming(new ByteArrayInputStream(random(5000)));
        transferred(message);
        assertThatThrownBy(() -> message.encode(Transfer.HEADERS, bodies)).isInstanceOf(IllegalStateException.class);
        message.clearBody();
        message.writeByte((byte) 1);
        assertThat(Transfer.received(message).getBodyLength()).isEqualTo(1);
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("broken");
            }
        };
        assertThatThrownBy(() -> ((MetaQBytesMessage) streaming(broken)).encode(Transfer.HEADERS, bodies))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("broken");
    }

    @Test
    void shouldForwardLargeBodyWithoutHavingItWhole() throws Exception {
        byte[] sent = random(3 * CHUNK);
        MetaQBytesMessage received =
                (MetaQBytesMessage) transferred((MetaQBytesMessage) streaming(new ByteArrayInputStream(sent)));
        assertThat(transferred(received).getBody(byte[].class)).isEqualTo(sent);
        assertThat(bodies.chunks).hasSize(6);
    }

    @Test
    void shouldTakeOtherLargeBodiesToo() throws Exception {
        MetaQTextMessage text = new MetaQTextMessage();
        text.setText("x".repeat(CHUNK) + "end");
        assertThat(transferred(text).getText()).endsWith("xend").hasSize(CHUNK + 3);
        MetaQMapMessage map = new MetaQMapMessage();
        map.setBytes("b", random(2000));
        assertThat(transferred(map).getBytes("b")).isEqualTo(random(2000));
        MetaQStreamMessage stream = new MetaQStreamMessage();
        stream.writeBytes(random(2000));
        assertThat(transferred(stream).readObject()).isEqualTo(random(2000));
        MetaQObjectMessage object = new MetaQObjectMessage();
        object.setObject(random(2000));
        assertThat(transferred(object).getObject()).isEqualTo(random(2000));
    }

    @Test
    void shouldNotBelieveAnyTopicThatAMessageNames() {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.BODY_KIND, 2)
                .header(HeaderField.LARGE_TOPIC, "secrets")
                .header(HeaderField.LARGE_LENGTH, 10);
        ByteBuffer reference = ByteBuffer.allocate(8);
        MetaQMessage shown = new MessageDecoder(AllowedClasses.DEFAULT, bodies)
                .decode(Transfer.QUEUE, 1, block.flags(), ByteBuffer.wrap(block.join(reference)), 1);
        assertThat(shown).isInstanceOf(BytesMessage.class);
        assertThat(bodies.fetched).isZero();
        PropertyBlock fitting = PropertyBlock.of(ByteBuffer.wrap(new PropertyBlockWriter()
                .header(HeaderField.LARGE_TOPIC, "q.large")
                .header(HeaderField.LARGE_LENGTH, CHUNK + 1)
                .toBytes()));
        assertThatThrownBy(() -> StoredBody.of(fitting, ByteBuffer.allocate(8))).hasMessageContaining("large body");
        assertThatThrownBy(() -> StoredBody.of(fitting, ByteBuffer.allocate(24)))
                .hasMessageContaining("large body");
        assertThatThrownBy(() -> StoredBody.of(fitting, ByteBuffer.allocate(15)))
                .hasMessageContaining("large body");
        assertThat(StoredBody.of(fitting, ByteBuffer.allocate(16)).offsets()).hasSize(2);
    }
}
