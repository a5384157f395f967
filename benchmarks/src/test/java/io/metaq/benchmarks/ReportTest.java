package io.metaq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportTest {

    private final Map<Contender, List<Figures>> results = new LinkedHashMap<>();

    private void add(String name, String system, String... rounds) {
        Contender contender = new Contender(name, system, Set.of(), Map.of(), Map.of());
        results.put(contender, List.of(rounds).stream().map(Figures::parse).toList());
    }

    @Test
    void shouldPrintMediansAndTheirRatio() {
        add(
                "ours",
                "x",
                "messages=3000 seconds=1 brokerCpu=0.5 clientCpu=1 missing=0",
                "messages=1 seconds=1 brokerCpu=0.5 clientCpu=1 missing=2",
                "messages=8000 seconds=2 brokerCpu=2 clientCpu=4 missing=1");
        add("theirs", "y", "messages=2000 seconds=1 brokerCpu=1 clientCpu=1");
        String table = Report.table("produce", results);
        assertThat(table).contains("| ours | 3,000 (1 to 4,000) | 3 | 4,000 | 2,000 | 3 |  |  | 1.00 |");
        assertThat(table).contains("| theirs | 2,000 (2,000 to 2,000) | 2 | 2,000 | 2,000 |  |  |  | 1.50 |");
    }

    @Test
    void shouldHoldSynchronousProducersAgainstAsManyTimesTheRateOfOneSync() {
        add("ours", "x", "messages=6000 seconds=1 brokerCpu=1 clientCpu=1");
        add("the machine", "reference", "messages=1000 seconds=1 clientCpu=1");
        assertThat(Report.table("sync8", results)).contains("| 0.75 of 8x |");
    }

    @Test
    void shouldPrintLatenciesInMilliseconds() {
        add("ours", "x", "tripP50=300 tripP99=1500 tripP999=4000 sendP50=100 sendP99=900 sendP999=2000");
        add("theirs", "y", "tripP50=300 tripP99=3000 tripP999=4000 sendP50=100 sendP99=900 sendP999=2000");
        String table = Report.table("lat", results);
        assertThat(table).contains("| ours | 0.10 | 0.90 | 2.00 | 0.30 | 1.50 | 4.00 |");
        assertThat(table).contains("| 0.50 |");
    }

    @Test
    void shouldPrintADashForAContenderWithoutFigures() {
        add("ours", "x");
        assertThat(Report.table("async", results)).contains("| ours | – (– to –) |");
    }
}
