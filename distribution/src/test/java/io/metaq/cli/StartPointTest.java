package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.Start;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartPointTest {
    private final StartPoint converter = new StartPoint();

    @Test
    void shouldReadEveryForm() {
        assertThat(converter.convert("first")).isEqualTo(Start.first());
        assertThat(converter.convert("last")).isEqualTo(Start.last());
        assertThat(converter.convert("offset:12")).isEqualTo(Start.offset(12));
        assertThat(converter.convert("time:1700000000000")).isEqualTo(Start.time(1_700_000_000_000L));
        assertThat(converter.convert("time:2026-11-30T08:00:00+01:00")).isEqualTo(Start.time(1_796_022_000_000L));
    }

    @Test
    void shouldCountBackFromNow() {
        long before = System.currentTimeMillis();
        long tenMinutesAgo = StartPoint.epochMs("-10m");

        assertThat(tenMinutesAgo).isBetween(before - 600_000, System.currentTimeMillis() - 600_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "middle", "offset:", "offset:-1", "offset:x", "time:", "time:noon", "time:-10"})
    void shouldSayWhatWouldBeRight(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .hasMessageContaining("is no place to begin; give first, last, offset:N");
    }
}
