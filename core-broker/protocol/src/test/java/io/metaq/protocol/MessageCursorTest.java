package io.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessageCursorTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final int HELLO_CHECKSUM = 907060870;

    private final ByteBuf buffer = Unpooled.buffer();

    private void add(String body, long id, int flag) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StoredMessage.writeHeader(buffer, bytes.length, StoredMessage.checksum(bytes), id, flag);
        buffer.writeBytes(bytes);
    }

    @Test
    void shouldLayOutMessageAsMetaQ14() {
        StoredMessage.writeHeader(buffer, 5, HELLO_CHECKSUM, -5468929827236974592L, 3);
        assertThat(ByteBufUtil.hexDump(buffer)).isEqualTo("00000005" + "3610a686" + "b41a754c3a007000" + "00000003");
    }

    @Test
    void shouldComputeTheChecksumOfEveryKindOfBuffer() {
        assertThat(StoredMessage.checksum(HELLO)).isEqualTo(HELLO_CHECKSUM);
        assertThat(StoredMessage.checksum(Unpooled.wrappedBuffer(HELLO))).isEqualTo(HELLO_CHECKSUM);
        assertThat(StoredMessage.checksum(Unpooled.directBuffer().writeBytes(HELLO)))
                .isEqualTo(HELLO_CHECKSUM);
        ByteBuf pieces = Unpooled.wrappedBuffer(Unpooled.copiedBuffer(HELLO, 0, 2), Unpooled.copiedBuffer(HELLO, 2, 3));
        assertThat(StoredMessage.checksum(pieces)).isEqualTo(HELLO_CHECKSUM);
    }

    @Test
    void shouldWalkOverWholeMessages() {
        buffer.writeInt(42).readInt();
        add("hello", 1, 6);
        add("", 2, 0);
        MessageCursor cursor = new MessageCursor(buffer);

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.id()).isEqualTo(1);
        assertThat(cursor.flag()).isEqualTo(6);
        assertThat(cursor.body().toString(StandardCharsets.UTF_8)).isEqualTo("hello");
        assertThat(cursor.checksum()).isEqualTo(HELLO_CHECKSUM);
        assertThat(cursor.intact()).isTrue();
        assertThat(cursor.consumed()).isEqualTo(25);

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.bodyLength()).isZero();
        assertThat(cursor.intact()).isTrue();
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.consumed()).isEqualTo(45);
    }

    @Test
    void shouldStopBeforeCutMessageWhereverItIsCut() {
        add("hello", 1, 0);
        add("again", 2, 0);
        for (int end = 25; end < 50; end++) {
            MessageCursor cursor = new MessageCursor(buffer.slice(0, end));
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).as("cut at %d", end).isFalse();
            assertThat(cursor.consumed()).isEqualTo(25);
        }
    }

    @Test
    void shouldSeeFlippedBitInEveryKindOfBuffer() {
        add("hello", 1, 0);
        add("again", 2, 0);
        buffer.setByte(49, buffer.getByte(49) ^ 1);
        ByteBuf pieces = Unpooled.wrappedBuffer(buffer.copy(0, 30), buffer.copy(30, 20));
        for (ByteBuf kind : new ByteBuf[] {buffer, Unpooled.directBuffer().writeBytes(buffer.slice()), pieces}) {
            MessageCursor cursor = new MessageCursor(kind);
            cursor.next();
            assertThat(cursor.intact()).isTrue();
            cursor.next();
            assertThat(cursor.intact()).isFalse();
        }
    }

    @Test
    void shouldSeeWhatIsOverwritten() {
        add("hello", 1, 0);
        MessageCursor cursor = new MessageCursor(buffer);
        cursor.next();
        cursor.setId(99);
        cursor.setChecksum(5);
        assertThat(cursor.id()).isEqualTo(99);
        assertThat(cursor.checksum()).isEqualTo(5);
        assertThat(cursor.bodyChecksum()).isEqualTo(HELLO_CHECKSUM);
        assertThat(cursor.intact()).isFalse();
    }

    @Test
    void shouldRefuseWhatCannotBeMessage() {
        StoredMessage.writeHeader(buffer, -1, 0, 0, 0);
        assertThatThrownBy(() -> new MessageCursor(buffer).next())
                .isInstanceOf(DamagedMessageException.class)
                .hasMessageContaining("at byte 0");
    }
}
