package io.metaq.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which messages are to be moved, and where. */
final class MoveOptions {
    @Option(names = "--to", required = true, paramLabel = "NAME", description = "The queue or topic that gets them.")
    private String to = "";

    @Option(
            names = "--selector",
            paramLabel = "SELECTOR",
            description = "Only those for which this is true, as in JMS.")
    private @Nullable String selector;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            description = "At most so many, the oldest first. Default: all.")
    private @Nullable Long count;

    @Option(names = "--id", paramLabel = "ID", description = "Only the message with this id, as browse shows it.")
    private @Nullable String id;

    String to() {
        return to;
    }

    /** In the protocol's words. */
    Map<String, String> asOptions() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("to", to);
        String only = selector();
        if (only != null) {
            options.put("selector", only);
        }
        if (count != null) {
            options.put("count", count.toString());
        }
        if (id != null && isNumber(id)) {
            options.put("id", id);
        }
        return options;
    }

    /** A sender's own id is a header like any other; the broker's number is not. */
    private @Nullable String selector() {
        if (id == null || isNumber(id)) {
            return selector;
        }
        String ofId = "JMSMessageID = '" + id.replace("'", "''") + "'";
        return selector == null ? ofId : ofId + " AND (" + selector + ")";
    }

    private static boolean isNumber(String id) {
        return !id.isEmpty() && id.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
