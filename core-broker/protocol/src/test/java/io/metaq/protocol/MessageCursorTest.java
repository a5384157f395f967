package io.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessageCursorTest {
    private final ByteBuf buffer = Unpooled.buffer();

    private void add(String attribute, String payload, long id, int flag) {
        new MessageBody(attribute, payload.getBytes(StandardCharsets.UTF_8)).writeStored(buffer, id, flag);
    }

    @Test
    void shouldLayOutMessageAsMetaQ14() {
        StoredMessage.writeHeader(buffer, 5, 907060870, -5468929827236974592L, 3);
        assertThat(ByteBufUtil.hexDump(buffer)).isEqualTo("00000005" + "3610a686" + "b41a754c3a007000" + "00000003");
    }

    @Test
    void shouldComputeTheChecksumOfEveryKindOfBuffer() {
        byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
        assertThat(StoredMessage.checksum(hello)).isEqualTo(907060870);
        assertThat(StoredMessage.checksum(ByteBuffer.wrap(hello))).isEqualTo(907060870);
        assertThat(StoredMessage.checksum(Unpooled.wrappedBuffer(hello))).isEqualTo(907060870);
        assertThat(StoredMessage.checksum(Unpooled.directBuffer().writeBytes(hello)))
                .isEqualTo(907060870);
        ByteBuf pieces = Unpooled.wrappedBuffer(Unpooled.copiedBuffer(hello, 0, 2), Unpooled.copiedBuffer(hello, 2, 3));
        assertThat(StoredMessage.checksum(pieces)).isEqualTo(907060870);
    }

    @Test
    void shouldWalkOverWholeMessages() {
        buffer.writeInt(42).readInt();
        add(null, "hello", 1, 6);
        add("attr", "payload", 2, 0);
        add("", "", 3, 0);
        MessageCursor cursor = new MessageCursor(buffer);

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.id()).isEqualTo(1);
        assertThat(cursor.flag()).isEqualTo(6);
        assertThat(cursor.attribute()).isNull();
        assertThat(cursor.payload().toString(StandardCharsets.UTF_8)).isEqualTo("hello");
        assertThat(cursor.intact()).isTrue();
        assertThat(cursor.consumed()).isEqualTo(25);

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.position()).isEqualTo(25);
        assertThat(cursor.flag()).isEqualTo(StoredMessage.HAS_ATTRIBUTE);
        assertThat(cursor.attribute()).isEqualTo("attr");
        assertThat(cursor.payload().toString(StandardCharsets.UTF_8)).isEqualTo("payload");
        assertThat(cursor.bodyLength()).isEqualTo(15);

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.attribute()).isEmpty();
        assertThat(cursor.payload().readableBytes()).isZero();
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.consumed()).isEqualTo(buffer.readableBytes());
    }

    @Test
    void shouldStopBeforeCutMessageWhereverItIsCut() {
        add(null, "hello", 1, 0);
        add(null, "again", 2, 0);
        for (int end = 25; end < 50; end++) {
            MessageCursor cursor = new MessageCursor(buffer.slice(0, end));
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).as("cut at %d", end).isFalse();
            assertThat(cursor.consumed()).isEqualTo(25);
            assertThat(cursor.lengthOfRest()).isEqualTo(end < 45 ? 0 : 25);
        }
    }

    @Test
    void shouldSeeFlippedBit() {
        add(null, "hello", 1, 0);
        buffer.setByte(22, buffer.getByte(22) ^ 1);
        MessageCursor cursor = new MessageCursor(buffer);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.intact()).isFalse();
    }

    @Test
    void shouldOverwriteIdAndChecksum() {
        add(null, "hello", 1, 0);
        MessageCursor cursor = new MessageCursor(buffer);
        cursor.next();
        cursor.setId(99);
        cursor.setChecksum(5);
        assertThat(cursor.id()).isEqualTo(99);
        assertThat(cursor.checksum()).isEqualTo(5);
        assertThat(cursor.payload().toString(StandardCharsets.UTF_8)).isEqualTo("hello");
    }

    @Test
    void shouldRefuseWhatCannotBeMessage() {
        StoredMessage.writeHeader(buffer, -1, 0, 0, 0);
        assertThatThrownBy(() -> new MessageCursor(buffer).next())
                .isInstanceOf(DamagedMessageException.class)
                .hasMessageContaining("at byte 0");
    }

    @Test
    void shouldRefuseAttributeThatDoesNotFit() {
        StoredMessage.writeHeader(buffer, 4, 0, 0, StoredMessage.HAS_ATTRIBUTE);
        buffer.writeInt(1);
        MessageCursor cursor = new MessageCursor(buffer);
        assertThat(cursor.next()).isTrue();
        assertThatThrownBy(cursor::attribute).isInstanceOf(DamagedMessageException.class);
        assertThatThrownBy(cursor::payload).isInstanceOf(DamagedMessageException.class);
    }
}
