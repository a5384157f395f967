package io.metaq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlockWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessagePreviewTest {
    @Test
    void shouldShowWhatThePropertiesSay() {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.MESSAGE_ID, "ID:7")
                .header(HeaderField.PRIORITY, (byte) 9)
                .header(HeaderField.TYPE, "order")
                .header(HeaderField.BODY_KIND, (byte) BodyKind.TEXT.number())
                .property("region", "e\nu");
        byte[] body = MessageBody.join(block.toBytes(), MessageBody.encodeText("a long text"));

        MessagePreview seen = MessagePreview.of(1, MessageFlags.PROPERTIES, ByteBuffer.wrap(body), 6);

        assertThat(seen.id()).isEqualTo("ID:7");
        assertThat(seen.priority()).isEqualTo(9);
        assertThat(seen.kind()).isEqualTo("text");
        assertThat(seen.text()).isEqualTo("[order] {region=e.u} a long...");
    }

    @Test
    void shouldShowTheEntriesOfAMap() {
        PropertyBlockWriter block =
                new PropertyBlockWriter().header(HeaderField.BODY_KIND, (byte) BodyKind.MAP.number());
        byte[] body = MessageBody.join(block.toBytes(), MessageBody.encodeMap(Map.of("n", 5)));

        assertThat(MessagePreview.of(1, MessageFlags.PROPERTIES, ByteBuffer.wrap(body), 60))
                .isEqualTo(new MessagePreview("1", 4, "map", "", "", "{n=5}"));
    }

    @Test
    void shouldTellTheSizeOfABodyThatIsElsewhere() {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.BODY_KIND, (byte) BodyKind.BYTES.number())
                .header(HeaderField.LARGE_LENGTH, 100_000_000L);
        byte[] body = MessageBody.join(block.toBytes(), new byte[0]);

        assertThat(MessagePreview.of(1, MessageFlags.PROPERTIES | MessageFlags.LARGE, ByteBuffer.wrap(body), 60)
                        .text())
                .isEqualTo("100000000 bytes, kept apart from the message");
    }

    @Test
    void shouldShowAsBytesWhatHasNoProperties() {
        ByteBuffer body = ByteBuffer.wrap("plain\tbytes".getBytes(UTF_8));

        assertThat(MessagePreview.of(8, 0, body, 60).text()).isEqualTo("plain.bytes");
        assertThat(MessagePreview.of(8, MessageFlags.PROPERTIES, body, 60).text())
                .as("a flag that means something else to its sender")
                .isEqualTo("plain.bytes");
    }
}
