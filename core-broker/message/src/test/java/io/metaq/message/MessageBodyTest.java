package io.metaq.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageBodyTest {
    private static final List<Object> VALUES = new ArrayList<>(Arrays.asList(
            null, true, (byte) 1, (short) 2, 3, 4L, 5f, 6d, "seven", new byte[] {8}, '9', "", new byte[0]));

    @Test
    void shouldGiveBackMapInItsOrder() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < VALUES.size(); i++) {
            map.put("n" + (VALUES.size() - i), VALUES.get(i));
        }
        map.put("JMSXGroupID", 5);
        Map<String, Object> read = MessageBody.decodeMap(ByteBuffer.wrap(MessageBody.encodeMap(map)));
        assertThat(new ArrayList<>(read.keySet())).isEqualTo(new ArrayList<>(map.keySet()));
        map.forEach((name, value) -> assertThat(read.get(name)).as(name).isEqualTo(value));
    }

    @Test
    void shouldGiveBackStream() {
        List<Object> read = MessageBody.decodeStream(ByteBuffer.wrap(MessageBody.encodeStream(VALUES)));
        assertThat(read).hasSameSizeAs(VALUES);
        for (int i = 0; i < VALUES.size(); i++) {
            assertThat(read.get(i)).isEqualTo(VALUES.get(i));
        }
    }

    @Test
    void shouldTakeNoBytesForNoValues() {
        assertThat(MessageBody.decodeMap(ByteBuffer.allocate(0))).isEmpty();
        assertThat(MessageBody.decodeMap(ByteBuffer.wrap(MessageBody.encodeMap(Map.of()))))
                .isEmpty();
        assertThat(MessageBody.decodeStream(ByteBuffer.allocate(0))).isEmpty();
    }

    @Test
    void shouldRefuseMapCutAnywhere() {
        Map<String, Object> map = new LinkedHashMap<>();
        VALUES.forEach(value -> map.put("n" + map.size(), value));
        byte[] whole = MessageBody.encodeMap(map);
        for (int length = 1; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(whole, 0, length);
            assertThatThrownBy(() -> MessageBody.decodeMap(cut)).isInstanceOf(MalformedPropertiesException.class);
        }
    }

    @Test
    void shouldRefuseMapsThatAreNone() {
        byte[] hugeCount = ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array();
        byte[] header = {0, 0, 0, 1, 2, 0, 5, 1};
        byte[] emptyName = {0, 0, 0, 1, 2, (byte) 255, 0, 0, 1};
        byte[] twice = {0, 0, 0, 2, 2, 1, 'a', 1, 2, 1, 'a', 2};
        for (byte[] bytes : new byte[][] {hugeCount, header, emptyName, twice}) {
            assertThatThrownBy(() -> MessageBody.decodeMap(ByteBuffer.wrap(bytes)))
                    .isInstanceOf(MalformedPropertiesException.class);
        }
        assertThatThrownBy(() -> MessageBody.encodeMap(Map.of("", 1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MessageBody.encodeMap(Map.of("a", List.of())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseStreamCutInAnEntry() {
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i <= VALUES.size(); i++) {
            ends.add(MessageBody.encodeStream(VALUES.subList(0, i)).length);
        }
        byte[] whole = MessageBody.encodeStream(VALUES);
        for (int length = 0; length <= whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(whole, 0, length);
            if (ends.contains(length)) {
                assertThat(MessageBody.decodeStream(cut)).hasSize(ends.indexOf(length));
            } else {
                assertThatThrownBy(() -> MessageBody.decodeStream(cut))
                        .isInstanceOf(MalformedPropertiesException.class);
            }
        }
    }

    @Test
    void shouldRefuseUnknownTypesAndLengthsBeyondTheEnd() {
        byte[][] bad = {{11}, {-1}, {8, 127, -1, -1, -1}, {9, -1, -1, -1, -1}, {9, 0, 0, 0, 2, 1}};
        for (byte[] bytes : bad) {
            assertThatThrownBy(() -> MessageBody.decodeStream(ByteBuffer.wrap(bytes)))
                    .isInstanceOf(MalformedPropertiesException.class);
        }
    }

    @Test
    void shouldGiveBackText() {
        for (String text : new String[] {"", "a", "Gruß \uD83D\uDE00\0"}) {
            assertThat(MessageBody.decodeText(ByteBuffer.wrap(MessageBody.encodeText(text))))
                    .isEqualTo(text);
        }
    }

    @Test
    void shouldKnowTheKindOfEveryBody() {
        for (BodyKind kind : BodyKind.values()) {
            PropertyBlockWriter writer = new PropertyBlockWriter()
                    .header(HeaderField.BODY_KIND, kind.number())
                    .property("p", 1);
            assertThat(BodyKind.of(PropertyBlock.of(ByteBuffer.wrap(writer.toBytes()))))
                    .isEqualTo(kind);
        }
        PropertyBlockWriter later = new PropertyBlockWriter().header(HeaderField.BODY_KIND, 77);
        assertThat(BodyKind.of(PropertyBlock.of(ByteBuffer.wrap(later.toBytes()))))
                .isEqualTo(BodyKind.BYTES);
    }
}
