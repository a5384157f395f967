package io.metaq.jms.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUriTest {

    @Test
    void shouldReadHostsAndOptions() {
        ConnectionOptions options = ConnectionUri.parse("metaq://one:1,two:2?clientId=a%26b+c&prefetch=10");

        assertThat(options.addresses()).isEqualTo("one:1,two:2");
        assertThat(options.secure()).isFalse();
        assertThat(options.text(ConnectionOption.CLIENT_ID)).isEqualTo("a&b+c");
        assertThat(options.number(ConnectionOption.PREFETCH)).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({
        "metaq://here, here:8123",
        "metaq://[::1], [::1]:8123",
        "'metaq://[::1]:9,here', '[::1]:9,here:8123'",
        "metaq://zk?lookup=zookeeper, zk:2181"
    })
    void shouldKnowTheUsualPorts(String uri, String addresses) {
        assertThat(ConnectionUri.parse(uri).addresses()).isEqualTo(addresses);
    }

    @Test
    void shouldMeanTlsByAnS() {
        assertThat(ConnectionUri.parse("metaqs://here:8124").secure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metaq://one:1,two:2",
                "metaqs://one:1?password=p%25%20%26&user=%C3%A4",
                "metaq://zk:2181?lookup=zookeeper&zookeeperRoot=/q"
            })
    void shouldComeBackFromItsText(String uri) {
        ConnectionOptions options = ConnectionUri.parse(uri);

        assertThat(ConnectionUri.parse(ConnectionUri.format(options))).isEqualTo(options);
    }

    @Test
    void shouldTakeOptionsOnTopOfOthers() {
        ConnectionOptions base = ConnectionUri.parse("metaq://here:1?prefetch=7");

        assertThat(ConnectionUri.parse("?clientId=cts", base))
                .isEqualTo(ConnectionUri.parse("metaq://here:1?prefetch=7&clientId=cts"));
        assertThat(ConnectionUri.parse("metaq://there:2", base)).isEqualTo(ConnectionUri.parse("metaq://there:2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://here:1|metaq://",
                "here:1|metaq://",
                "metaq://|at least one host",
                "metaq://here:x|host:port",
                "metaq://me:secret@here:1|?user=",
                "metaq://here:1/path|without a path",
                "metaq://here:1?prefetch|prefetch=...",
                "metaq://here:1?prefetch=many|whole number",
                "metaq://here:1?prefetch=1&prefetch=2|twice",
                "metaq://here:1?user=%zz|option user",
                "metaq://here:1?clientID=a|did you mean clientId?",
                "metaq://here:1?prefetchByte=1|did you mean prefetchBytes?",
                "metaq://here:1?usr=me|did you mean user?"
            })
    void shouldSayWhatIsWrong(String uri, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionUri.parse(uri))
                .withMessageContaining(reason)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }

    /** The document and the declarations of the options say the same. */
    @Test
    void shouldHaveARowInTheDocumentForEveryOption() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "jms.md"));

        assertThat(document.lines())
                .containsAll(Arrays.stream(ConnectionOption.values())
                        .map(ConnectionUriTest::row)
                        .toList());
    }

    private static String row(ConnectionOption option) {
        Map<ConnectionOption.Type, String> forms = Map.of(
                ConnectionOption.Type.TEXT, "text",
                ConnectionOption.Type.FLAG, "true or false",
                ConnectionOption.Type.COUNT, "whole number from 1",
                ConnectionOption.Type.MILLIS, "milliseconds from 1");
        String absent = option.absent() == null || option.absent().isEmpty() ? "unset" : option.absent();
        return String.format(
                Locale.ROOT,
                "| `%s` | %s | `%s` | %s |",
                option.key(),
                forms.get(option.type()),
                absent,
                option.meaning());
    }
}
