package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.Message;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonMessagesTest {
    @Test
    void shouldReadEveryPartOfAMessage() throws IOException {
        InputMessage message =
                read("{\"data\":\"h\u00e9llo\",\"key\":\"k\",\"attribute\":\"a\",\"flag\":8,\"partition\":3}");

        assertThat(message.data()).isEqualTo("h\u00e9llo".getBytes(StandardCharsets.UTF_8));
        assertThat(message.key()).isEqualTo("k");
        assertThat(message.attribute()).isEqualTo("a");
        assertThat(message.flag()).isEqualTo(8);
        assertThat(message.partition()).isEqualTo(3);
    }

    @Test
    void shouldTakeAnObjectAsDataForAMessageInJson() throws IOException {
        assertThat(read("{\"data\":{\"a\":[1,2]}}").data())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"a\":[1,2]}");
    }

    @Test
    void shouldPassOverBlankLines() throws IOException {
        assertThat(read("\r\n  \n{\"base64\":\"AAH/\"}\n").data()).containsExactly(0, 1, -1);
    }

    @Test
    void shouldWriteTextAsTextAndOtherBytesInBase64() throws IOException {
        byte[] bytes = {0, 1, (byte) 0xff};

        assertThat(JsonMessages.write(Message.of("t", "<a> \u20ac\n".getBytes(StandardCharsets.UTF_8))))
                .contains("\"data\":\"<a> \u20ac\\n\"");
        assertThat(JsonMessages.write(Message.of("t", bytes)))
                .contains("\"base64\":\"AAH/\"")
                .doesNotContain("data");
        assertThat(read(JsonMessages.write(Message.of("t", bytes).attribute("x"))))
                .satisfies(message -> {
                    assertThat(message.data()).isEqualTo(bytes);
                    assertThat(message.attribute()).isEqualTo("x");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hello | line 1 is not",
                "[1] | line 1 is not",
                "{} | neither data nor base64",
                "{\"base64\":\"!\"} | line 1 is not"
            })
    void shouldSayWhichLineIsNoMessage(String line, String reason) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("give an object with data (text) or base64");
    }

    private static InputMessage read(String text) throws IOException {
        JsonMessages messages = new JsonMessages(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return Objects.requireNonNull(messages.next());
    }
}
