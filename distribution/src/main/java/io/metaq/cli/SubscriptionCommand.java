package io.metaq.cli;

import io.metaq.cli.SubscriptionTasks.Target;
import io.metaq.client.TopicPartition;
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
        name = "subscription",
        description =
                "Creates, lists, describes, browses, pauses, purges, moves, redrives, rewinds and deletes subscriptions of topics.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class SubscriptionCommand implements Callable<Integer> {
    private static final String NAME =
            "As list shows it. One of JMS is durable:CLIENTID:NAME, that of a queue queue:NAME.";

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    SubscriptionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(),
                "give one of: create, list, describe, browse, pause, resume, purge, move, redrive, seek, delete");
    }

    private SubscriptionTasks tasks(ConnectOptions connection) {
        return new SubscriptionTasks(terminal, connection);
    }

    @Command(description = "Creates a durable subscription of a topic.", mixinStandardHelpOptions = true)
    int create(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Option(
                            names = {"-t", "--topic"},
                            required = true)
                    String topic,
            @Option(names = "--shared", description = "For several consumers at a time.") boolean shared,
            @Option(
                            names = "--selector",
                            paramLabel = "SELECTOR",
                            description = "Only messages for which this is true.")
                    @Nullable
                    String selector,
            @Option(
                            names = "--from",
                            defaultValue = "last",
                            paramLabel = "WHERE",
                            description = "Where it begins; default last. " + SubscriptionTasks.PLACES)
                    String from) {
        return tasks(connection).admin(subscriptions -> {
            subscriptions.create(name, SubscriptionTasks.creation(topic, shared, selector, from));
            terminal.print("created subscription %s", name);
        });
    }

    @Command(
            description = "Lists subscriptions with their consumers and how many messages each has yet to get.",
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConnectOptions connection,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PATTERN",
                            defaultValue = "*",
                            description = "Such as durable:*; default all.")
                    String pattern,
            @Option(
                            names = {"-t", "--topic"},
                            description = "Only those of this topic or queue.")
                    @Nullable
                    String topic) {
        return tasks(connection).admin(subscriptions -> {
            terminal.print("%-40s %-24s %-14s %9s %14s", "SUBSCRIPTION", "TOPIC", "KIND", "CONSUMERS", "MESSAGES");
            subscriptions
                    .list(pattern, topic)
                    .forEach(one -> terminal.print(
                            "%-40s %-24s %-14s %9d %14d",
                            one.name(), one.topic(), one.kind(), one.consumers(), one.depth()));
        });
    }

    @Command(description = "Shows how a subscription stands, and its consumers.", mixinStandardHelpOptions = true)
    int describe(@Mixin ConnectOptions connection, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        return tasks(connection).describe(Target.ofSubscription(name));
    }

    @Command(
            description = "Lists the messages that a subscription has yet to get, without taking them.",
            mixinStandardHelpOptions = true)
    int browse(
            @Mixin ConnectOptions connection,
            @Mixin BrowseOptions options,
            @Parameters(paramLabel = "NAME", description = NAME) String name) {
        return tasks(connection).browse(Target.ofSubscription(name), options);
    }

    @Command(
            description = "Delivers nothing of a subscription until it is resumed, also after a restart.",
            mixinStandardHelpOptions = true)
    int pause(@Mixin ConnectOptions connection, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        return tasks(connection).pause(Target.ofSubscription(name), true);
    }

    @Command(description = "Delivers again what was paused.", mixinStandardHelpOptions = true)
    int resume(@Mixin ConnectOptions connection, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        return tasks(connection).pause(Target.ofSubscription(name), false);
    }

    @Command(description = "Counts all that is there as acknowledged.", mixinStandardHelpOptions = true)
    int purge(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is dropped.")
                    boolean yes) {
        return tasks(connection).purge(Target.ofSubscription(name), yes);
    }

    @Command(
            description = "Moves messages, with all they have, to a queue or another topic.",
            mixinStandardHelpOptions = true)
    int move(
            @Mixin ConnectOptions connection,
            @Mixin MoveOptions options,
            @Parameters(paramLabel = "NAME", description = NAME) String name) {
        return tasks(connection).move(Target.ofSubscription(name), options);
    }

    @Command(
            description = "Puts dead letters back to the queue or topic that each came from.",
            mixinStandardHelpOptions = true)
    int redrive(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Option(
                            names = {"-n", "--count"},
                            paramLabel = "N",
                            description = "At most so many, the oldest first. Default: all.")
                    @Nullable
                    Long count) {
        return tasks(connection).redrive(Target.ofSubscription(name), count);
    }

    @Command(
            description =
                    "Goes on from another place: backwards, what is still kept comes again; forwards, what is between is skipped.",
            mixinStandardHelpOptions = true)
    int seek(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Option(names = "--to", required = true, paramLabel = "WHERE", description = SubscriptionTasks.PLACES)
                    String to,
            @Option(
                            names = {"-p", "--partition"},
                            description = "Default: all.")
                    @Nullable
                    Integer partition) {
        return tasks(connection)
                .seek(Target.ofSubscription(name), to, partition == null ? TopicPartition.ANY : partition);
    }

    @Command(description = "Deletes a subscription without consumers.", mixinStandardHelpOptions = true)
    int delete(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "NAME", description = NAME) String name,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is deleted.")
                    boolean yes) {
        Target target = Target.ofSubscription(name);
        return tasks(connection).admin(subscriptions -> {
            long depth = SubscriptionTasks.existing(subscriptions, target).depth();
            if (!yes) {
                throw new CommandFailedException("this would delete subscription " + name + ", which has " + depth
                        + " messages yet to get; add --yes to do it");
            }
            subscriptions.delete(name);
            terminal.print("deleted subscription %s", name);
        });
    }
}
