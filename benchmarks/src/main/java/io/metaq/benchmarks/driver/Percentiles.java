package io.metaq.benchmarks.driver;

import java.util.Map;
import org.HdrHistogram.Histogram;

/** Latencies as figures, in microseconds. */
public final class Percentiles {

    private Percentiles() {}

    public static void put(Map<String, Object> figures, String prefix, Histogram nanos) {
        figures.put(prefix + "P50", micros(nanos, 50));
        figures.put(prefix + "P99", micros(nanos, 99));
        figures.put(prefix + "P999", micros(nanos, 99.9));
        figures.put(prefix + "Max", nanos.getMaxValue() / 1000.0);
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1000.0;
    }
}
