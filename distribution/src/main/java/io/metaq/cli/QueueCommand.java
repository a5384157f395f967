package io.metaq.cli;

import io.metaq.cli.SubscriptionTasks.Target;
import io.metaq.client.MetaqClient;
import io.metaq.client.TopicPartition;
import java.util.LinkedHashMap;
import java.util.Map;
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
        name = "queue",
        description = "Creates, lists, describes, browses, purges, moves, redrives, rewinds and deletes queues.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class QueueCommand implements Callable<Integer> {
    private static final String PREFIX = "queue:";

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    QueueCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(),
                "give one of: create, list, describe, browse, purge, move, redrive, seek, delete");
    }

    private SubscriptionTasks tasks(ConnectOptions connection) {
        return new SubscriptionTasks(terminal, connection);
    }

    @Command(description = "Creates a queue on every broker given.", mixinStandardHelpOptions = true)
    int create(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "QUEUE") String queue,
            @Option(
                            names = {"-o", "--set"},
                            paramLabel = "KEY=VALUE",
                            description =
                                    "A setting by its key in the configuration file, such as maxDeliveries=5; may be repeated.")
                    @Nullable
                    Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings == null ? Map.of() : settings);
        all.put("kind", "queue");
        try (MetaqClient client = connection.connect()) {
            client.admin().createTopic(queue, 1, all);
            terminal.print("created queue %s", queue);
        }
        return ExitCode.OK;
    }

    @Command(
            description = "Lists queues with their consumers and how many messages each holds.",
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConnectOptions connection,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PATTERN",
                            defaultValue = "*",
                            description = "Such as orders.*; default all.")
                    String pattern) {
        return tasks(connection).admin(subscriptions -> {
            terminal.print("%-40s %9s %14s", "QUEUE", "CONSUMERS", "MESSAGES");
            subscriptions
                    .list(PREFIX + pattern, null)
                    .forEach(queue -> terminal.print(
                            "%-40s %9d %14d",
                            queue.name().substring(PREFIX.length()), queue.consumers(), queue.depth()));
        });
    }

    @Command(
            description = "Shows how a queue stands, and its consumers. See also: metaq topic describe.",
            mixinStandardHelpOptions = true)
    int describe(@Mixin ConnectOptions connection, @Parameters(paramLabel = "QUEUE") String queue) {
        return tasks(connection).describe(Target.ofQueue(queue));
    }

    @Command(
            description = "Lists the messages that a queue holds, without taking them.",
            mixinStandardHelpOptions = true)
    int browse(
            @Mixin ConnectOptions connection,
            @Mixin BrowseOptions options,
            @Parameters(paramLabel = "QUEUE") String queue) {
        return tasks(connection).browse(Target.ofQueue(queue), options);
    }

    @Command(description = "Drops all messages that a queue holds.", mixinStandardHelpOptions = true)
    int purge(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "QUEUE") String queue,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is dropped.")
                    boolean yes) {
        return tasks(connection).purge(Target.ofQueue(queue), yes);
    }

    @Command(
            description = "Moves messages, with all they have, to another queue or topic.",
            mixinStandardHelpOptions = true)
    int move(
            @Mixin ConnectOptions connection,
            @Mixin MoveOptions options,
            @Parameters(paramLabel = "QUEUE") String queue) {
        return tasks(connection).move(Target.ofQueue(queue), options);
    }

    @Command(
            description = "Puts dead letters back to the queue or topic that each came from.",
            mixinStandardHelpOptions = true)
    int redrive(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "QUEUE", description = "The queue with the dead letters.") String queue,
            @Option(
                            names = {"-n", "--count"},
                            paramLabel = "N",
                            description = "At most so many, the oldest first. Default: all.")
                    @Nullable
                    Long count) {
        return tasks(connection).redrive(Target.ofQueue(queue), count);
    }

    @Command(
            description = {
                "Goes on from another place: backwards, what is still kept comes again; forwards, what is between is skipped.",
                "A queue keeps what was acknowledged only with the setting retainAcknowledged=true."
            },
            mixinStandardHelpOptions = true)
    int seek(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "QUEUE") String queue,
            @Option(names = "--to", required = true, paramLabel = "WHERE", description = SubscriptionTasks.PLACES)
                    String to) {
        return tasks(connection).seek(Target.ofQueue(queue), to, TopicPartition.ANY);
    }

    @Command(description = "Deletes a queue with its messages.", mixinStandardHelpOptions = true)
    int delete(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "QUEUE") String queue,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is deleted.")
                    boolean yes) {
        try (MetaqClient client = connection.connect()) {
            Target target = Target.ofQueue(queue);
            long depth = SubscriptionTasks.existing(client.admin().subscriptions(), target)
                    .depth();
            if (!yes) {
                throw new CommandFailedException("this would delete queue " + queue + " with " + depth
                        + " messages for good; add --yes to do it");
            }
            client.admin().deleteTopic(queue);
            terminal.print("deleted queue %s", queue);
        }
        return ExitCode.OK;
    }
}
