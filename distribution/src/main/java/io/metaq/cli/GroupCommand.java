package io.metaq.cli;

import io.metaq.client.Admin;
import io.metaq.client.Admin.GroupOffset;
import io.metaq.client.MetaqClient;
import io.metaq.client.Puller;
import io.metaq.client.Start;
import io.metaq.client.TopicPartition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "group",
        description = "Lists and describes consumer groups, moves them, shows where they were.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class GroupCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    GroupCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(), "give one of: list, describe, reset, history, delete");
    }

    @Command(description = "Lists the groups that the brokers know.", mixinStandardHelpOptions = true)
    int list(@Mixin ConnectOptions connection) {
        try (MetaqClient client = connection.connect()) {
            client.admin().listGroups().forEach(group -> terminal.print("%s", group));
        }
        return ExitCode.OK;
    }

    @Command(
            description =
                    "Shows the members of a group, and for each partition how far it got and how many bytes are left.",
            mixinStandardHelpOptions = true)
    int describe(@Mixin ConnectOptions connection, @Parameters(paramLabel = "GROUP") String group) {
        try (MetaqClient client = connection.connect()) {
            client.admin().describeGroup(group).forEach((server, lines) -> {
                terminal.print("group %s on %s", group, server);
                lines.forEach(line -> terminal.print("  %s", line));
            });
            terminal.print("%-32s %16s %16s %14s  %s", "PARTITION", "OFFSET", "END OFFSET", "BYTES LEFT", "STORED");
            client.admin().groupOffsets(group, "").forEach(offset -> printLag(client, offset));
        }
        return ExitCode.OK;
    }

    private void printLag(MetaqClient client, GroupOffset offset) {
        try (Puller puller = client.puller(offset.partition())) {
            long end = puller.offsetOf(Start.last());
            long position = offset.stored().offset();
            terminal.print(
                    "%-32s %16d %16d %14d  %s",
                    offset.partition(), position, end, Math.max(0, end - position), time(offset.timeMs()));
        }
    }

    @Command(
            description = {
                "Moves a group: what it reads next is what is there.",
                "A running member goes on from there when it next asks; stop members first to be sure."
            },
            mixinStandardHelpOptions = true)
    int reset(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "GROUP") String group,
            @Option(
                            names = {"-t", "--topic"},
                            required = true)
                    String topic,
            @Option(
                            names = {"-p", "--partition"},
                            description = "Default: all.")
                    @Nullable
                    Integer partition,
            @Option(
                            names = "--to",
                            required = true,
                            paramLabel = "WHERE",
                            description =
                                    "first, last, a byte offset, time:T, or history:T (where the group was at that time); T as in"
                                            + " consume --from.")
                    String to) {
        String target = target(to);
        try (MetaqClient client = connection.connect()) {
            Admin admin = client.admin();
            admin.resetGroup(group, topic, partition == null ? TopicPartition.ANY : partition, target);
            admin.groupOffsets(group, topic)
                    .forEach(offset -> terminal.print(
                            "%s %d", offset.partition(), offset.stored().offset()));
        }
        return ExitCode.OK;
    }

    private static String target(String to) {
        int colon = to.indexOf(':');
        if (colon < 0) {
            return to;
        }
        String kind = to.substring(0, colon);
        try {
            return switch (kind) {
                case "time", "history" -> kind + ":" + StartPoint.epochMs(to.substring(colon + 1));
                case "offset" -> to.substring(colon + 1);
                default -> throw new IllegalArgumentException(kind);
            };
        } catch (IllegalArgumentException | java.time.format.DateTimeParseException e) {
            throw new CommandFailedException(
                    "'" + to + "' is no place to go to; give first, last, an offset, time:T or history:T with T as"
                            + " 2026-11-30T08:00:00Z, -15m, or milliseconds since 1970",
                    ExitCode.USAGE);
        }
    }

    @Command(
            description = "Shows the offsets that were saved for a group in the past.",
            mixinStandardHelpOptions = true)
    int history(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "GROUP") String group,
            @Option(
                            names = {"-t", "--topic"},
                            defaultValue = "",
                            description = "Default: all.")
                    String topic) {
        try (MetaqClient client = connection.connect()) {
            List<GroupOffset> history = client.admin().groupHistory(group, topic);
            history.forEach(offset -> terminal.print(
                    "%s %s %d",
                    time(offset.timeMs()), offset.partition(), offset.stored().offset()));
        }
        return ExitCode.OK;
    }

    @Command(description = "Forgets a group with its offsets.", mixinStandardHelpOptions = true)
    int delete(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "GROUP") String group,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is deleted.")
                    boolean yes) {
        if (!yes) {
            throw new CommandFailedException(
                    "this would forget how far group " + group + " has read; add --yes to do it");
        }
        try (MetaqClient client = connection.connect()) {
            client.admin().deleteGroup(group);
            terminal.print("deleted group %s", group);
        }
        return ExitCode.OK;
    }

    private static String time(long epochMs) {
        return epochMs == 0 ? "-" : Instant.ofEpochMilli(epochMs).toString();
    }
}
