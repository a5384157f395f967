package io.metaq.benchmarks.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time that a process has used, user and system, by {@code /proc}; 0 where there is no {@code /proc}. */
final class ProcessorTime {

    /** Ticks of {@code /proc/PID/stat}: 100 per second on every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private ProcessorTime() {}

    static double seconds(long pid) {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        try {
            return parse(Files.readString(stat));
        } catch (IOException gone) {
            return 0;
        }
    }

    /** The command's name, in parentheses, may hold spaces: fields are counted from the last parenthesis on. */
    static double parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }
}
