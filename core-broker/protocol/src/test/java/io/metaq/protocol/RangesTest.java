package io.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangesTest {
    @ParameterizedTest
    @ValueSource(strings = {"0:0-25", "2147483647:0-9223372036854775807", "0:0-25,1:25-50,0:50-75"})
    void shouldReadWhatTheyWrite(String text) {
        assertThat(Ranges.parse(text))
                .hasToString(text)
                .isEqualTo(Ranges.parse(text))
                .hasSameHashCodeAs(Ranges.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "0",
                "0:",
                "0:0",
                "0:0-",
                "0:5-5",
                "0:6-5",
                "-1:0-5",
                "0:-1-5",
                "0:0-5,",
                "0:0-5;1:0-5",
                "0:0-5 ",
                "2147483648:0-5",
                "0:0-9223372036854775808",
                "0:+1-5"
            })
    void shouldRefuseWhatIsNone(String text) {
        assertThatThrownBy(() -> Ranges.parse(text)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldJoinWhatJoinsOn() {
        Ranges ranges = Ranges.builder()
                .add(0, 0, 25)
                .add(0, 25, 50)
                .add(1, 50, 75)
                .add(0, 75, 99)
                .build();
        assertThat(ranges).hasToString("0:0-50,1:50-75,0:75-99");
        assertThat(ranges.size()).isEqualTo(3);
    }

    @Test
    void shouldBeCutIntoParts() {
        Ranges ranges = Ranges.parse("0:0-1,0:2-3,0:4-5");
        assertThat(ranges.slice(0, 3)).isSameAs(ranges);
        assertThat(ranges.slice(1, 3)).isEqualTo(Ranges.parse("0:2-3,0:4-5"));
        assertThat(ranges.slice(0, 2)).isEqualTo(Ranges.parse("0:0-1,0:2-3")).isNotEqualTo(ranges);
    }

    @Test
    void shouldNotChangeWithTheBuilder() {
        Ranges.Builder builder = Ranges.builder().add(0, 0, 25);
        Ranges before = builder.build();
        builder.add(0, 25, 50);
        assertThat(before).isEqualTo(Ranges.of(0, 0, 25));
        assertThat(Ranges.none().isEmpty()).isTrue();
    }
}
