package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceJoinerTest {

    private static ByteBuf stream(int messages) {
        ByteBuf buffer = Unpooled.buffer();
        for (int i = 0; i < messages; i++) {
            Message message = Message.of("t", new byte[i * 7 % 40]).attribute("n" + i);
            StorageFormat.write(message, StorageFormat.checksum(message), buffer);
        }
        return buffer;
    }

    @Test
    void shouldJoinSlicesOfEverySize() {
        ByteBuf whole = stream(20);
        for (int size = 1; size <= whole.readableBytes(); size++) {
            SliceJoiner joiner = new SliceJoiner(1000);
            joiner.restart(500);
            List<String> attributes = new ArrayList<>();
            for (int at = 0; at < whole.readableBytes(); at += size) {
                ByteBuf slice = whole.copy(at, Math.min(size, whole.readableBytes() - at));
                assertThat(joiner.feed(slice, data -> read(data, attributes))).isTrue();
            }
            assertThat(attributes)
                    .as("slices of %d bytes", size)
                    .hasSize(20)
                    .startsWith("n0", "n1")
                    .endsWith("n19");
            assertThat(joiner.isWithinMessage()).isFalse();
            assertThat(joiner.offset()).isEqualTo(500 + whole.readableBytes());
        }
    }

    private static void read(Fetched.Data data, List<String> attributes) {
        TopicPartition partition = new TopicPartition("t", 0, 0);
        try (CheckedBatch batch = CheckedBatch.of(partition, new BrokerAddress("h", 1), data)) {
            batch.forEach(message -> attributes.add(message.attribute()));
        }
    }

    @Test
    void shouldStopAtAHeaderThatCannotBeOne() {
        ByteBuf whole = stream(3);
        int third = whole.readableBytes();
        whole.writeInt(-5).writeZero(30);
        for (int cut = 1; cut < whole.readableBytes(); cut++) {
            SliceJoiner joiner = new SliceJoiner(1000);
            List<String> attributes = new ArrayList<>();
            boolean first = joiner.feed(whole.copy(0, cut), data -> read(data, attributes));
            boolean second =
                    first && joiner.feed(whole.copy(cut, whole.readableBytes() - cut), data -> read(data, attributes));
            assertThat(second).isFalse();
            assertThat(joiner.offset()).isEqualTo(third);
            assertThat(attributes).hasSize(3);
            joiner.restart(0);
        }
    }

    @Test
    void shouldDropWhatWasBegunWhenItStartsAnew() {
        ByteBuf whole = stream(2);
        SliceJoiner joiner = new SliceJoiner(1000);
        assertThat(joiner.feed(whole.copy(0, 10), data -> read(data, new ArrayList<>())))
                .isTrue();
        assertThat(joiner.isWithinMessage()).isTrue();
        joiner.restart(0);
        List<String> attributes = new ArrayList<>();
        assertThat(joiner.feed(whole, data -> read(data, attributes))).isTrue();
        assertThat(attributes).containsExactly("n0", "n1");
    }
}
