package io.metaq.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much of a subscription is looked at. */
final class BrowseOptions {
    @Option(
            names = "--selector",
            paramLabel = "SELECTOR",
            description = "Only messages for which this is true, as in JMS.")
    private @Nullable String selector;

    @Option(
            names = {"-n", "--max"},
            paramLabel = "N",
            description = "Ends after this many messages.")
    private long max = Long.MAX_VALUE;

    @Option(names = "--preview", paramLabel = "BYTES", description = "How much of each body is shown. Default: 60.")
    private int preview = 60;

    @Nullable
    String selector() {
        return selector;
    }

    long max() {
        return max;
    }

    int preview() {
        return preview;
    }
}
