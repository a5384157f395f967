package io.metaq.cli;

import io.metaq.client.Admin;
import io.metaq.client.Admin.PartitionRange;
import io.metaq.client.Admin.TopicUse;
import io.metaq.client.MetaqClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "topic",
        description = "Creates, lists, describes, alters, deletes, closes, opens and scrubs topics.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class TopicCommand implements Callable<Integer> {
    private static final String SETTINGS =
            "A setting of the topic by its key in the configuration file, such as deletePolicy=delete,24h; may be repeated.";

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    TopicCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                java.util.Objects.requireNonNull(spec).commandLine(),
                "give one of: create, list, describe, alter, delete, close, open, scrub");
    }

    private int admin(ConnectOptions connection, Consumer<Admin> work) {
        try (MetaqClient client = connection.connect()) {
            work.accept(client.admin());
        }
        return ExitCode.OK;
    }

    @Command(description = "Creates a topic on every broker given.", mixinStandardHelpOptions = true)
    int create(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "TOPIC") String topic,
            @Option(
                            names = {"-n", "--partitions"},
                            defaultValue = "1",
                            description = "For each broker. Default: 1.")
                    int partitions,
            @Option(
                            names = {"-o", "--set"},
                            paramLabel = "KEY=VALUE",
                            description = SETTINGS)
                    @Nullable
                    Map<String, String> settings) {
        return admin(connection, admin -> {
            admin.createTopic(topic, partitions, settings == null ? Map.of() : settings);
            terminal.print("created topic %s with %d partitions", topic, partitions);
        });
    }

    @Command(description = "Lists topics and how many partitions each has.", mixinStandardHelpOptions = true)
    int list(
            @Mixin ConnectOptions connection,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PATTERN",
                            defaultValue = "*",
                            description = "Such as orders.*; default all.")
                    String pattern) {
        return admin(
                connection,
                admin -> admin.listTopics(pattern)
                        .forEach(topic -> terminal.print("%s %d", topic.name(), topic.partitions())));
    }

    @Command(
            description = "Shows the settings of a topic and how far each partition goes.",
            mixinStandardHelpOptions = true)
    int describe(@Mixin ConnectOptions connection, @Parameters(paramLabel = "TOPIC") String topic) {
        return admin(connection, admin -> admin.describeTopic(topic).forEach(this::print));
    }

    private void print(Admin.TopicDescription description) {
        terminal.print(
                "topic %s on broker %d at %s",
                description.name(),
                description.server().id(),
                description.server().address());
        description.settings().forEach((key, value) -> terminal.print("  %s %s", key, value));
        terminal.print("  %9s %16s %16s %14s  %s", "PARTITION", "FIRST OFFSET", "END OFFSET", "MESSAGES", "STATE");
        description
                .partitions()
                .forEach(p -> terminal.print(
                        "  %9d %16d %16d %14d  %s",
                        p.partition(), p.minOffset(), p.maxOffset(), p.messages(), p.state()));
    }

    @Command(
            description = "Changes settings of a topic; partitions can only become more.",
            mixinStandardHelpOptions = true)
    int alter(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "TOPIC") String topic,
            @Option(
                            names = {"-n", "--partitions"},
                            description = "New number of partitions for each broker.")
                    @Nullable
                    Integer partitions,
            @Option(
                            names = {"-o", "--set"},
                            paramLabel = "KEY=VALUE",
                            description = SETTINGS)
                    @Nullable
                    Map<String, String> settings) {
        Map<String, String> changes = new LinkedHashMap<>(settings == null ? Map.of() : settings);
        if (partitions != null) {
            changes.put("partitions", partitions.toString());
        }
        if (changes.isEmpty()) {
            throw new CommandFailedException(
                    "nothing to change; give --partitions N or --set KEY=VALUE", ExitCode.USAGE);
        }
        return admin(connection, admin -> {
            admin.alterTopic(topic, changes);
            terminal.print("altered topic %s", topic);
        });
    }

    @Command(description = "Deletes a topic with its messages.", mixinStandardHelpOptions = true)
    int delete(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "TOPIC") String topic,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is deleted.")
                    boolean yes) {
        return admin(connection, admin -> {
            if (!yes) {
                long messages = admin.describeTopic(topic).stream()
                        .flatMap(description -> description.partitions().stream())
                        .mapToLong(Admin.PartitionDescription::messages)
                        .sum();
                throw new CommandFailedException("this would delete topic " + topic + " with " + messages
                        + " messages for good; add --yes to do it");
            }
            admin.deleteTopic(topic);
            terminal.print("deleted topic %s", topic);
        });
    }

    @Command(description = "Closes partitions for producers, consumers, or both.", mixinStandardHelpOptions = true)
    int close(@Mixin ConnectOptions connection, @Parameters(paramLabel = "TOPIC") String topic, @Mixin UseOptions use) {
        return admin(connection, admin -> {
            admin.closeTopic(topic, use.range(), use.use);
            terminal.print("closed topic %s for %s", topic, use.name());
        });
    }

    @Command(description = "Opens what was closed.", mixinStandardHelpOptions = true)
    int open(@Mixin ConnectOptions connection, @Parameters(paramLabel = "TOPIC") String topic, @Mixin UseOptions use) {
        return admin(connection, admin -> {
            admin.openTopic(topic, use.range(), use.use);
            terminal.print("opened topic %s for %s", topic, use.name());
        });
    }

    @Command(
            description = "Reads every message of a topic and checks it, while the topic serves; damage is set aside.",
            mixinStandardHelpOptions = true)
    int scrub(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "TOPIC") String topic,
            @Mixin RangeOption partitions) {
        try (MetaqClient client = connection.connect()) {
            boolean damaged = false;
            for (var report :
                    client.admin().scrubTopic(topic, partitions.range()).entrySet()) {
                terminal.print("broker at %s", report.getKey());
                for (String line : report.getValue()) {
                    terminal.print("  %s", line);
                    damaged |= line.startsWith("damaged ");
                }
            }
            return damaged ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    /** Which partitions, and for what. */
    static final class UseOptions {
        @Option(names = "--for", description = "publish, subscribe, or both (the default).")
        private TopicUse use = TopicUse.BOTH;

        @Mixin
        private RangeOption partitions = new RangeOption();

        String name() {
            return use == TopicUse.BOTH ? "publish and subscribe" : use.name().toLowerCase(java.util.Locale.ROOT);
        }

        PartitionRange range() {
            return partitions.range();
        }
    }

    /** Which partitions. */
    static final class RangeOption {
        @Option(
                names = {"-p", "--partitions"},
                paramLabel = "A[-B]",
                description = "Default: all.")
        private @Nullable String partitions;

        PartitionRange range() {
            if (partitions == null) {
                return PartitionRange.ALL;
            }
            String[] ends = partitions.split("-", 2);
            try {
                int first = Integer.parseInt(ends[0]);
                return new PartitionRange(first, ends.length == 1 ? first : Integer.parseInt(ends[1]));
            } catch (IllegalArgumentException e) {
                throw new CommandFailedException(
                        "'" + partitions + "' is no range of partitions; give a number or two, such as 0-3",
                        ExitCode.USAGE);
            }
        }
    }
}
