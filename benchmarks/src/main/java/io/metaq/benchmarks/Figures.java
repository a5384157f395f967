package io.metaq.benchmarks;

import io.metaq.benchmarks.driver.KeyValueLine;
import java.util.Map;

/** What one run of one workload over one peer gave. */
record Figures(Map<String, String> values) {

    static Figures parse(String line) {
        return new Figures(KeyValueLine.parse(line));
    }

    double value(String key) {
        return Double.parseDouble(values.getOrDefault(key, "NaN"));
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    double messagesPerSecond() {
        return value("messages") / value("seconds");
    }

    /** Messages per second of processor time that the broker used. */
    double messagesPerBrokerSecond() {
        return value("messages") / value("brokerCpu");
    }

    double messagesPerClientSecond() {
        return value("messages") / value("clientCpu");
    }
}
