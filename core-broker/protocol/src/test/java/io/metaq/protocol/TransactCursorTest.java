package io.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TransactCursorTest {
    private static ByteBuf twoParts() {
        ByteBuf body = Unpooled.buffer();
        TransactWriter.messages(body, "тема", 3, 2, Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII));
        TransactWriter.acknowledgements(body, -7, Ranges.parse("0:0-25,1:25-50"));
        return body;
    }

    @Test
    void shouldReadThePartsThatWereWritten() {
        ByteBuf body = twoParts();
        TransactCursor cursor = new TransactCursor(body);

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.isMessages()).isTrue();
        assertThat(cursor.topic()).isEqualTo("тема");
        assertThat(cursor.partition()).isEqualTo(3);
        assertThat(cursor.count()).isEqualTo(2);
        assertThat(cursor.messages().toString(StandardCharsets.US_ASCII)).isEqualTo("hello");
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.isMessages()).isFalse();
        assertThat(cursor.consumer()).isEqualTo(-7);
        assertThat(cursor.ranges()).isEqualTo(Ranges.parse("0:0-25,1:25-50"));
        assertThat(cursor.next()).isFalse();
        assertThat(body.readerIndex()).isZero();
    }

    @Test
    void shouldRefuseABodyThatEndsEarly() {
        ByteBuf whole = twoParts();
        int between = whole.readableBytes() - (1 + 4 + 4 + 2 * 20);
        for (int length = 1; length < whole.readableBytes(); length++) {
            TransactCursor cursor = new TransactCursor(whole.slice(0, length));
            if (length == between) {
                continue;
            }
            assertThatThrownBy(() -> {
                        while (cursor.next()) {
                            assertThat(cursor.isMessages()).isTrue();
                        }
                    })
                    .as("%d bytes", length)
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void shouldRefuseNumbersThatCannotBe() {
        ByteBuf hugeCount = Unpooled.buffer().writeByte(2).writeInt(1).writeInt(Integer.MAX_VALUE);
        ByteBuf negative = Unpooled.buffer().writeByte(2).writeInt(1).writeInt(-1);
        ByteBuf turned = Unpooled.buffer()
                .writeByte(2)
                .writeInt(1)
                .writeInt(1)
                .writeInt(0)
                .writeLong(5)
                .writeLong(4);
        for (ByteBuf body : new ByteBuf[] {hugeCount, negative, turned}) {
            assertThatThrownBy(() -> new TransactCursor(body).next()).isInstanceOf(ProtocolException.class);
        }
    }
}
