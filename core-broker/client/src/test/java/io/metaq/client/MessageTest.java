package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

class MessageTest {

    private static final TopicPartition PARTITION = new TopicPartition("t", 1, 0);
    private static final BrokerAddress SERVER = new BrokerAddress("h", 1);

    private static CheckedBatch read(Message... messages) {
        ByteBuf buffer = Unpooled.buffer();
        for (Message message : messages) {
            StorageFormat.write(message, StorageFormat.checksum(message), buffer);
        }
        return CheckedBatch.of(PARTITION, SERVER, new Fetched.Data(buffer, 100, messages.length));
    }

    @Test
    void shouldComeBackAsItWasSent() {
        try (CheckedBatch batch = read(
                Message.of("t", new byte[] {1, 2}).attribute("").flag(-2),
                Message.of("t").flag(1))) {
            Iterator<Message> messages = batch.iterator();
            Message first = messages.next();
            Message second = messages.next();

            assertThat(first.attribute()).isEmpty();
            assertThat(first.flag()).isEqualTo(-1);
            assertThat(first.data()).containsExactly(1, 2);
            assertThat(first.offset()).isEqualTo(100);
            assertThat(second.attribute()).isNull();
            assertThat(second.size()).isZero();
            assertThat(second.flag()).as("bit 0 belongs to the protocol").isZero();
            assertThat(second.offset()).isEqualTo(126);
            assertThat(batch.nextOffset()).isEqualTo(146);
        }
    }

    @Test
    void shouldNotBeReadableAfterItsBatchUnlessTaken() {
        CheckedBatch batch = read(Message.of("t", new byte[] {1}), Message.of("t", new byte[] {2}));
        Iterator<Message> messages = batch.iterator();
        Message taken = messages.next();
        Message left = messages.next();
        taken.payload().detach();
        batch.close();
        batch.close();

        assertThat(taken.data()).containsExactly(1);
        assertThatThrownBy(left::data).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldNotChangeThroughWhatItHandsOut() {
        byte[] own = {1, 2, 3};
        Message message = Message.of("t", own);
        message.data()[0] = 9;

        assertThat(message.data()).containsExactly(1, 2, 3);
        assertThat(message.buffer().isReadOnly()).isTrue();
        assertThatThrownBy(message::markRollback).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseNamesThatTheProtocolCannotCarry() {
        assertThatThrownBy(() -> Message.of("a b", new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Message.of("", new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TopicNames.checkGroup("a/b")).hasMessageContaining("'/'");
    }

    @Test
    void shouldReadAddresses() {
        assertThat(BrokerAddress.parse("meta://host:9?slaveId=1")).isEqualTo(new BrokerAddress("host", 9));
        assertThat(BrokerAddress.parse("[::1]:9")).hasToString("[::1]:9");
        assertThat(BrokerAddress.parseList("a, b:1"))
                .containsExactly(new BrokerAddress("a", 8123), new BrokerAddress("b", 1));
        assertThatThrownBy(() -> BrokerAddress.parse("a:b")).hasMessageContaining("host:port");
    }

    @Test
    void shouldFindTheNextGoodMessage() {
        ByteBuf buffer = Unpooled.buffer().writeZero(100).writeInt(5).writeInt(-1);
        Message message = Message.of("t", new byte[] {1, 2, 3});
        StorageFormat.write(message, StorageFormat.checksum(message), buffer);

        assertThat(Resync.firstGood(buffer.nioBuffer())).isEqualTo(108);
        assertThat(Resync.firstGood(ByteBuffer.allocate(1000)))
                .as("zeros are no messages")
                .isEqualTo(-1);
    }
}
