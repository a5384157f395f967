package io.metaq.cli;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A line on the error output that is redrawn while work goes on; nothing at all where no person watches. */
final class Progress {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Terminal terminal;
    private final boolean shown;
    private long lastDrawn = System.nanoTime();
    private int drawnWidth;

    Progress(Terminal terminal, boolean shown) {
        this.terminal = terminal;
        this.shown = shown;
    }

    /** Redraws unless it did so a moment ago; cheap enough to call for every message. */
    void update(Supplier<String> line) {
        if (!shown || System.nanoTime() - lastDrawn < INTERVAL_NS) {
            return;
        }
        lastDrawn = System.nanoTime();
        draw(line.get());
    }

    /** Takes the line away, so that something else can be written there. */
    void clear() {
        if (drawnWidth > 0) {
            draw("");
            terminal.err().print('\r');
            terminal.err().flush();
            drawnWidth = 0;
        }
    }

    private void draw(String line) {
        String padded = line.length() < drawnWidth ? line + " ".repeat(drawnWidth - line.length()) : line;
        terminal.err().print("\r" + padded);
        terminal.err().flush();
        drawnWidth = line.length();
    }

    /** "123,456 messages, 12.3 MB in 1.2 s (102,880 messages/s, 10.2 MB/s)". */
    static String rate(long messages, long bytes, long nanos) {
        double seconds = Math.max(nanos, 1) / 1e9;
        return String.format(
                Locale.ROOT,
                "%,d messages, %.1f MB in %.2f s (%,.0f messages/s, %.1f MB/s)",
                messages,
                bytes / 1e6,
                seconds,
                messages / seconds,
                bytes / 1e6 / seconds);
    }
}
