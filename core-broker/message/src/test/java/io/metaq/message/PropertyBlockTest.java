package io.metaq.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PropertyBlockTest {
    private static final Object[] VALUES = {
        null,
        true,
        false,
        (byte) -1,
        Byte.MIN_VALUE,
        (short) 300,
        Short.MIN_VALUE,
        -70_000,
        Integer.MAX_VALUE,
        Long.MIN_VALUE,
        1L << 40,
        1.5f,
        Float.NaN,
        -2.5e300,
        Double.NEGATIVE_INFINITY,
        "",
        "plain",
        "Gruß, \uD83D\uDE00",
        'x',
        '\uFFFF',
        new byte[0],
        new byte[] {0, -1, 5}
    };

    private static PropertyBlock block(PropertyBlockWriter writer) {
        return PropertyBlock.of(ByteBuffer.wrap(writer.toBytes()));
    }

    @Test
    void shouldGiveBackEveryTypeAsItWasWritten() {
        PropertyBlockWriter writer = new PropertyBlockWriter();
        for (int i = 0; i < VALUES.length; i++) {
            writer.property("p" + i, VALUES[i]);
        }
        PropertyBlock block = block(writer).check();
        for (int i = 0; i < VALUES.length; i++) {
            assertThat(block.property("p" + i)).as("value %d", i).isEqualTo(VALUES[i]);
            assertThat(block.hasProperty("p" + i)).isTrue();
        }
        assertThat(block.hasProperty("p")).isFalse();
        assertThat(block.property("p" + VALUES.length)).isNull();
    }

    @Test
    void shouldGiveBackTheSameFromAnyKindOfBuffer() {
        byte[] bytes = new PropertyBlockWriter()
                .property("a", "text")
                .header(HeaderField.TIMESTAMP, 7L)
                .toBytes();
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 9);
        direct.position(5).put(bytes).flip().position(5);
        ByteBuffer inTheMiddle = ByteBuffer.allocate(bytes.length + 9);
        inTheMiddle.position(5).put(bytes).flip().position(5);
        for (ByteBuffer buffer :
                new ByteBuffer[] {direct, inTheMiddle, inTheMiddle.slice(), inTheMiddle.asReadOnlyBuffer()}) {
            PropertyBlock block = PropertyBlock.of(buffer);
            assertThat(block.property("a")).isEqualTo("text");
            assertThat(block.headerLong(HeaderField.TIMESTAMP, 0)).isEqualTo(7);
            assertThat(buffer.remaining()).isEqualTo(bytes.length);
        }
    }

    @Test
    void shouldKeepNamesOfAllLengthsApart() {
        PropertyBlockWriter writer = new PropertyBlockWriter();
        int[] lengths = {1, 2, 127, 128, 253, 254, 255, 256, 1000, 65_535};
        for (int length : lengths) {
            writer.property("n".repeat(length), length);
        }
        writer.property("ü".repeat(127), "254 bytes").property("ü".repeat(128), "256 bytes");
        PropertyBlock block = block(writer).check();
        for (int length : lengths) {
            assertThat(block.property("n".repeat(length))).isEqualTo(length);
        }
        assertThat(block.property("ü".repeat(127))).isEqualTo("254 bytes");
        assertThat(block.property("ü".repeat(128))).isEqualTo("256 bytes");
        assertThatThrownBy(() -> writer.property("n".repeat(65_536), 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.property("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(block(writer).check().hasProperty("n")).isTrue();
    }

    @Test
    void shouldListPropertiesInOrderWithTheHeadersThatApplicationsSee() {
        PropertyBlock block = block(new PropertyBlockWriter()
                .header(HeaderField.MESSAGE_ID, "ID:1")
                .property("b", 1)
                .property("JMSXGroupID", "g")
                .property("a", null)
                .header(HeaderField.GROUP_SEQ, 3));
        Map<String, Object> seen = new LinkedHashMap<>();
        block.forEachProperty(seen::put);
        assertThat(seen.keySet()).containsExactly("b", "JMSXGroupID", "a", "JMSXGroupSeq");
        assertThat(seen.get("a")).isNull();
        assertThat(block.header(HeaderField.GROUP_ID)).isEqualTo("g");
        assertThat(block.property("JMSXGroupSeq")).isEqualTo(3);
        assertThat(block.property("JMSXUserID")).isNull();
    }

    @Test
    void shouldLeaveOutHeadersThatSayNothing() {
        PropertyBlockWriter writer = new PropertyBlockWriter()
                .header(HeaderField.PRIORITY, 4)
                .header(HeaderField.DELIVERY_MODE, 2)
                .header(HeaderField.EXPIRATION, 0L)
                .header(HeaderField.DELIVERY_TIME, 0L)
                .header(HeaderField.BODY_KIND, 0)
                .header(HeaderField.CORRELATION_ID, null);
        assertThat(writer.isEmpty()).isTrue();
        assertThat(writer.flags()).isZero();
        assertThat(writer.toBytes()).isEmpty();
        assertThat(writer.join(ByteBuffer.wrap(new byte[] {1, 2}))).containsExactly(1, 2);
    }

    @Test
    void shouldTellByFlagsWhatTheBrokerMustLookAt() {
        int properties = MessageFlags.PROPERTIES;
        assertThat(new PropertyBlockWriter().property("a", 1).flags()).isEqualTo(properties);
        assertThat(new PropertyBlockWriter().header(HeaderField.PRIORITY, 5).flags())
                .isEqualTo(properties | MessageFlags.SCHEDULED);
        assertThat(new PropertyBlockWriter()
                        .header(HeaderField.DELIVERY_TIME, 5L)
                        .flags())
                .isEqualTo(properties | MessageFlags.SCHEDULED);
        assertThat(new PropertyBlockWriter().property("JMSXGroupID", "g").flags())
                .isEqualTo(properties | MessageFlags.GROUPED);
        assertThat(new PropertyBlockWriter().header(HeaderField.EXPIRATION, 5L).flags())
                .isEqualTo(properties | MessageFlags.EXPIRES);
        assertThat(new PropertyBlockWriter()
                        .header(HeaderField.LARGE_TOPIC, "t.large")
                        .flags())
                .isEqualTo(properties | MessageFlags.LARGE);
        assertThat(MessageFlags.has(MessageFlags.EXPIRES, MessageFlags.EXPIRES)).isFalse();
        assertThat(MessageFlags.has(MessageFlags.EXPIRES | properties, MessageFlags.EXPIRES))
                .isTrue();
        assertThat(MessageFlags.withBlock(0x7FFF_FF00 | 1 | 16 | 2, properties | 4))
                .isEqualTo(0x7FFF_FF00 | 1 | 2 | 4);
    }

    @Test
    void shouldRefuseHeaderOfAnotherType() {
        PropertyBlockWriter writer = new PropertyBlockWriter();
        assertThatThrownBy(() -> writer.property("JMSXGroupID", 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.header(HeaderField.TIMESTAMP, "5"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.header(HeaderField.TYPE, new byte[1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.property("list", Set.of())).isInstanceOf(IllegalArgumentException.class);
        writer.header(HeaderField.CORRELATION_ID, new byte[] {9});
        assertThat(block(writer).header(HeaderField.CORRELATION_ID)).isEqualTo(new byte[] {9});
        assertThat(block(writer).headerString(HeaderField.CORRELATION_ID)).isNull();
        assertThat(block(writer).headerLong(HeaderField.CORRELATION_ID, 3)).isEqualTo(3);
    }

    @Test
    void shouldFindTheBlockBehindTheAttribute() {
        byte[] payload = {7, 8, 9};
        PropertyBlockWriter writer = new PropertyBlockWriter().property("a", 1);
        byte[] plain = writer.join(ByteBuffer.wrap(payload));
        assertThat(plain).isEqualTo(MessageBody.join(writer.toBytes(), payload));
        byte[] attributed = ByteBuffer.allocate(plain.length + 6)
                .putInt(2)
                .put(new byte[] {'x', 'y'})
                .put(plain)
                .array();
        int flag = MessageFlags.PROPERTIES | MessageFlags.ATTRIBUTE;
        PropertyBlock block = PropertyBlock.ofBody(flag, ByteBuffer.wrap(attributed));
        assertThat(block.property("a")).isEqualTo(1);
        assertThat(MessageBody.payload(flag, ByteBuffer.wrap(attributed))).isEqualTo(ByteBuffer.wrap(payload));
        assertThat(PropertyBlock.ofBody(0, ByteBuffer.wrap(plain))).isNull();
        assertThat(MessageBody.payload(0, ByteBuffer.wrap(payload))).isEqualTo(ByteBuffer.wrap(payload));
    }

    @Test
    void shouldReplaceTheBlockAndKeepTheRest() {
        byte[] payload = {7, 8, 9};
        ByteBuffer body = ByteBuffer.allocate(100);
        byte[] block = new PropertyBlockWriter()
                .property("a", 1)
                .property("b", 2)
                .header(HeaderField.EXPIRATION, 9L)
                .header(HeaderField.PRIORITY, 9)
                .toBytes();
        body.putInt(1)
                .put((byte) 'x')
                .putInt(block.length)
                .put(block)
                .put(payload)
                .flip();
        int flag = MessageFlags.PROPERTIES | MessageFlags.ATTRIBUTE | MessageFlags.EXPIRES | MessageFlags.SCHEDULED;
        PropertyBlockWriter moved = new PropertyBlockWriter()
                .property("a", "new")
                .addAll(PropertyBlock.ofBody(flag, body), Set.of(HeaderField.EXPIRATION));
        int movedFlag = MessageFlags.withBlock(flag, moved.flags());
        ByteBuffer movedBody = ByteBuffer.wrap(MessageBody.replaceBlock(flag, body, moved));

        assertThat(movedFlag).isEqualTo(MessageFlags.PROPERTIES | MessageFlags.ATTRIBUTE | MessageFlags.SCHEDULED);
        assertThat(MessageBody.payload(movedFlag, movedBody)).isEqualTo(ByteBuffer.wrap(payload));
        PropertyBlock read = PropertyBlock.ofBody(movedFlag, movedBody);
        assertThat(read.property("a")).isEqualTo("new");
        assertThat(read.property("b")).isEqualTo(2);
        assertThat(read.header(HeaderField.EXPIRATION)).isNull();
        assertThat(movedBody.get(4)).isEqualTo((byte) 'x');
    }

    @Test
    void shouldCarryHeadersOfLaterVersionsAlong() {
        byte[] later = {4, 0, (byte) 200, 0, 0, 0, 5};
        PropertyBlockWriter copy = new PropertyBlockWriter().addAll(PropertyBlock.of(ByteBuffer.wrap(later)), Set.of());
        assertThat(copy.toBytes()).isEqualTo(later);
    }

    @Test
    void shouldRefuseBlocksCutAnywhereInAnEntry() {
        PropertyBlockWriter writer = new PropertyBlockWriter();
        Set<Integer> ends = new HashSet<>(Set.of(0));
        for (int i = 0; i < VALUES.length; i++) {
            ends.add(writer.property("name" + i, VALUES[i]).toBytes().length);
        }
        ends.add(writer.property("n".repeat(300), "x").toBytes().length);
        ends.add(writer.header(HeaderField.TIMESTAMP, 1L).toBytes().length);
        byte[] whole = writer.toBytes();
        for (int length = 0; length <= whole.length; length++) {
            PropertyBlock cut = PropertyBlock.of(ByteBuffer.wrap(Arrays.copyOf(whole, length)));
            if (ends.contains(length)) {
                cut.check();
            } else {
                assertThatThrownBy(cut::check).isInstanceOf(MalformedPropertiesException.class);
                assertThatThrownBy(() -> cut.property("absent")).isInstanceOf(MalformedPropertiesException.class);
                assertThatThrownBy(() -> cut.header(HeaderField.TYPE)).isInstanceOf(MalformedPropertiesException.class);
                assertThatThrownBy(() -> cut.forEachProperty((name, value) -> {}))
                        .isInstanceOf(MalformedPropertiesException.class);
            }
        }
    }

    @Test
    void shouldRefuseBodiesCutBeforeThePayload() {
        byte[] body = ByteBuffer.allocate(20)
                .putInt(2)
                .put(new byte[2])
                .putInt(10)
                .put(new byte[10])
                .array();
        int flag = MessageFlags.ATTRIBUTE | MessageFlags.PROPERTIES;
        for (int length = 0; length < body.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(body, 0, length);
            assertThatThrownBy(() -> PropertyBlock.ofBody(flag, cut)).isInstanceOf(MalformedPropertiesException.class);
            assertThatThrownBy(() -> MessageBody.payload(flag, cut)).isInstanceOf(MalformedPropertiesException.class);
        }
        assertThatThrownBy(() -> PropertyBlock.ofBody(2, ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, 0})))
                .isInstanceOf(MalformedPropertiesException.class);
    }

    @Test
    void shouldReadOrRefuseAnyBytesAndDoNothingElse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                // small values: many look like types, lengths and short names
                bytes[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(11));
            }
            try {
                PropertyBlock block = PropertyBlock.of(ByteBuffer.wrap(bytes)).check();
                block.forEachProperty((name, value) -> block.property(name));
                block.header(HeaderField.PRIORITY);
            } catch (MalformedPropertiesException expected) {
                assertThat(expected).as("seed %d", seed).hasMessageContaining("byte");
            }
        }
    }
}
