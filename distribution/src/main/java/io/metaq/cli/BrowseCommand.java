package io.metaq.cli;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.TopicBrowser;
import io.metaq.client.TopicPartition;
import io.metaq.message.MessageFlags;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "browse",
        description =
                "Lists all messages that a topic keeps, without consuming them: where each is, its size, how it begins.",
        mixinStandardHelpOptions = true)
final class BrowseCommand implements Callable<Integer> {
    private static final int CHECK_EVERY = 100;

    private final Terminal terminal;

    @Mixin
    private ConnectOptions connection = new ConnectOptions();

    @Parameters(paramLabel = "TOPIC")
    private String topic = "";

    @Option(
            names = {"-n", "--max"},
            paramLabel = "N",
            description = "Ends after this many messages.")
    private long max = Long.MAX_VALUE;

    @Option(names = "--preview", paramLabel = "BYTES", description = "How much of each message is shown. Default: 60.")
    private int preview = 60;

    BrowseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (MetaqClient client = connection.connect();
                TopicBrowser browser = client.browse(topic)) {
            terminal.print("%-12s %14s %20s %9s  %s", "PARTITION", "OFFSET", "ID", "SIZE", "MESSAGE");
            for (long shown = 0; shown < max && browser.hasNext(); shown++) {
                show(browser.next());
                if (shown % CHECK_EVERY == 0 && terminal.outClosed()) {
                    break;
                }
            }
        }
        return ExitCode.OK;
    }

    private void show(Message message) {
        TopicPartition partition = Objects.requireNonNull(message.partition());
        int withoutAttribute = message.flag() & ~MessageFlags.ATTRIBUTE;
        String attribute = message.attribute() == null ? "" : "[" + message.attribute() + "] ";
        terminal.print(
                "%-12s %14d %20d %9d  %s%s",
                partition.shortName(),
                message.offset(),
                message.id(),
                message.size(),
                attribute,
                MessagePreview.of(message.id(), withoutAttribute, message.buffer(), preview)
                        .text());
    }
}
