package io.metaq.testkit.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void shouldReadWhatItWrites() {
        Map<String, Object> value =
                Map.of("a", List.of(1L, -2.5, "\"\\\n\u00e4\ud83d\ude00", true, Map.of()), "b", List.of());
        assertThat(Json.parse(Json.write(value))).isEqualTo(value);
    }

    @Test
    void shouldKeepWholeNumbersWhole() {
        assertThat(Json.parse(" [9223372036854775807, 1e2, null]"))
                .asList()
                .containsExactly(Long.MAX_VALUE, 100.0, null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[1", "[1 2]", "{\"a\" 1}", "\"a", "nul", "1 1", "{\"a\":1,\"a\":2}", "\"\\x\"", "-"})
    void shouldRefuseWhatIsNotJson(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.parse(text));
    }

    @Test
    void shouldRefuseToWriteWhatJsonDoesNotHave() {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.write(Double.NaN));
    }
}
