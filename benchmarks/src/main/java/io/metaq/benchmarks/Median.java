package io.metaq.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle of several rounds, which one disturbed round does not move, and the extremes. */
record Median(double value, double least, double most) {

    static Median of(List<Figures> rounds, ToDoubleFunction<Figures> figure) {
        double[] sorted = rounds.stream()
                .mapToDouble(figure)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        int n = sorted.length;
        if (n == 0) {
            return new Median(Double.NaN, Double.NaN, Double.NaN);
        }
        double middle = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        return new Median(middle, sorted[0], sorted[n - 1]);
    }
}
