package io.metaq.benchmarks;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tables in Markdown, one per workload. Ratios are of medians: the first contender's to each other's. */
final class Report {

    private Report() {}

    /** What a reader has to know to judge the tables. */
    static String head(Options options) {
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                "%s · %d processors · %s %s · Java %s · %d rounds of %.0f s, warm-up %.0f s, then %.0f s before each workload"
                        + " · heap %s each%n",
                LocalDate.now(ZoneOffset.UTC),
                runtime.availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                Runtime.version(),
                options.rounds(),
                options.seconds(),
                options.warmupSeconds(),
                options.rewarmSeconds(),
                options.heap());
    }

    static String table(String workload, Map<Contender, List<Figures>> results) {
        List<String> lines = new ArrayList<>();
        lines.add("### " + workload);
        lines.add("");
        lines.addAll(workload.endsWith("lat") ? latencies(results) : rates(workload, results));
        lines.add("");
        return String.join("\n", lines);
    }

    private static List<String> rates(String workload, Map<Contender, List<Figures>> results) {
        List<String> lines = new ArrayList<>();
        lines.add("| | messages/s, median (least to most) | MB/s | per broker CPU-s | per client CPU-s"
                + " | missing | duplicated | out of order | first / this |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        double first = Double.NaN;
        for (Map.Entry<Contender, List<Figures>> entry : results.entrySet()) {
            List<Figures> rounds = entry.getValue();
            Median rate = Median.of(rounds, Figures::messagesPerSecond);
            first = Double.isNaN(first) ? rate.value() : first;
            boolean machine = entry.getKey().system().equals("reference");
            double producers = machine && workload.startsWith("sync") ? Double.parseDouble(workload.substring(4)) : 1;
            lines.add(row(
                    entry.getKey().name() + (producers > 1 ? ", one thread" : ""),
                    number(rate.value()) + " (" + number(rate.least()) + " to " + number(rate.most()) + ")",
                    number(rate.value() * 1024 / 1e6),
                    machine
                            ? ""
                            : number(Median.of(rounds, Figures::messagesPerBrokerSecond)
                                    .value()),
                    number(Median.of(rounds, Figures::messagesPerClientSecond).value()),
                    total(rounds, "missing"),
                    total(rounds, "duplicated"),
                    total(rounds, "disordered"),
                    ratio(first, rate.value() * producers)
                            + (producers > 1 ? " of " + workload.substring(4) + "x" : "")));
        }
        return lines;
    }

    private static List<String> latencies(Map<Contender, List<Figures>> results) {
        List<String> lines = new ArrayList<>();
        lines.add("| ms | send p50 | p99 | p99.9 | end to end p50 | p99 | p99.9 | missing | duplicated | out of order"
                + " | p99 first / this |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        double first = Double.NaN;
        for (Map.Entry<Contender, List<Figures>> entry : results.entrySet()) {
            List<Figures> rounds = entry.getValue();
            double p99 = median(rounds, "tripP99");
            first = Double.isNaN(first) ? p99 : first;
            lines.add(row(
                    entry.getKey().name(),
                    millis(median(rounds, "sendP50")),
                    millis(median(rounds, "sendP99")),
                    millis(median(rounds, "sendP999")),
                    millis(median(rounds, "tripP50")),
                    millis(p99),
                    millis(median(rounds, "tripP999")),
                    total(rounds, "missing"),
                    total(rounds, "duplicated"),
                    total(rounds, "disordered"),
                    ratio(first, p99)));
        }
        return lines;
    }

    private static double median(List<Figures> rounds, String key) {
        return Median.of(rounds, figures -> figures.value(key)).value();
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String total(List<Figures> rounds, String key) {
        if (rounds.stream().noneMatch(figures -> figures.has(key))) {
            return "";
        }
        return number(rounds.stream().mapToDouble(figures -> figures.value(key)).sum());
    }

    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,.0f", value) : "–";
    }

    private static String millis(double micros) {
        return Double.isFinite(micros) ? String.format(Locale.ROOT, "%.2f", micros / 1000) : "–";
    }

    private static String ratio(double first, double other) {
        double ratio = first / other;
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "–";
    }
}
