package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.Start;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "consume",
        description = "Writes the messages of a topic to the standard output.",
        mixinStandardHelpOptions = true)
final class ConsumeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ConnectOptions connection = new ConnectOptions();

    @Mixin
    private Partitions partitions = new Partitions();

    @Parameters(paramLabel = "TOPIC")
    private String topic = "";

    @Option(
            names = {"-f", "--from"},
            converter = StartPoint.class,
            paramLabel = "WHERE",
            description = StartPoint.FORMS + ". Default: first; with --group where the group has got to.")
    private Start from = Start.first();

    @Option(
            names = {"-g", "--group"},
            description =
                    "Reads as a member of this group: the broker remembers how far it got, members share the partitions.")
    private @Nullable String group;

    @Option(
            names = {"-n", "--max"},
            paramLabel = "N",
            description = "Ends after this many messages.")
    private long max = Long.MAX_VALUE;

    @Option(
            names = "--follow",
            description =
                    "Waits for more at the end. Without it the command ends at the end that the topic has when it begins.")
    private boolean follow;

    @Option(
            names = {"-F", "--format"},
            description = "lines (the default), json (an object per line), raw (payloads one after the other).")
    private MessageFormat format = MessageFormat.LINES;

    @Option(
            names = {"-q", "--quiet"},
            description = "Neither progress nor counts.")
    private boolean quiet;

    ConsumeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        long started = System.nanoTime();
        MessageWriter writer = new MessageWriter(terminal.out(), format);
        Progress progress = new Progress(terminal, terminal.interactive() && !quiet);
        Reading reading = new Reading(
                writer,
                max,
                follow,
                () -> progress.update(
                        () -> Progress.rate(writer.messages(), writer.bytes(), System.nanoTime() - started)));
        try (MetaqClient client = connection.connect()) {
            if (group == null) {
                new PlainReading(client, partitions.select(client, topic), from, reading).run();
            } else {
                new GroupReading(client, group, partitions.select(client, topic), from, reading).run();
            }
        } finally {
            writer.flush();
            progress.clear();
        }
        if (!quiet && !terminal.outClosed()) {
            terminal.tell("received %s", Progress.rate(writer.messages(), writer.bytes(), System.nanoTime() - started));
        }
        return ExitCode.OK;
    }
}
