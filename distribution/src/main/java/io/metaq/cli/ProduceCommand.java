package io.metaq.cli;

import io.metaq.client.Durability;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.PartitionSelector;
import io.metaq.client.Producer;
import io.metaq.client.TopicPartition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "produce",
        description = "Sends messages read from files, or from the standard input.",
        mixinStandardHelpOptions = true)
final class ProduceCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ConnectOptions connection = new ConnectOptions();

    @Mixin
    private Partitions partitions = new Partitions();

    @Parameters(index = "0", paramLabel = "TOPIC")
    private String topic = "";

    @Parameters(index = "1..*", paramLabel = "FILE", description = "Default: the standard input; so does -.")
    private List<Path> files = List.of();

    @Option(
            names = {"-F", "--format"},
            description =
                    "lines (a message each, the default), json (an object per line), raw (each input is one message).")
    private MessageFormat format = MessageFormat.LINES;

    @Option(
            names = {"-k", "--key"},
            description = "Key of every message: messages of one key stay in order.")
    private @Nullable String key;

    @Option(
            names = {"-a", "--attribute"},
            description = "Attribute stored with every message.")
    private @Nullable String attribute;

    @Option(names = "--durability", description = "topic (as the topic says, the default), os, or disk.")
    private Durability durability = Durability.TOPIC;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "For each message, repetitions included. Default: 30.")
    private int timeoutSeconds = 30;

    @Option(names = "--keep-going", description = "Goes on after a message that failed.")
    private boolean keepGoing;

    @Option(
            names = {"-q", "--quiet"},
            description = "Neither progress nor counts.")
    private boolean quiet;

    private final SendTally tally = new SendTally();
    private final Map<Integer, TopicPartition> targets = new HashMap<>();

    ProduceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Progress progress = new Progress(terminal, terminal.interactive() && !quiet);
        try (MetaqClient client = connection.connect();
                Producer producer = producer(client)) {
            for (Path file : files.isEmpty() ? List.of(Path.of("-")) : files) {
                try (InputStream in = open(file)) {
                    sendAll(client, producer, MessageReader.of(format, in), progress);
                }
            }
            producer.flush();
        } finally {
            progress.clear();
            report();
        }
        return tally.failed() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private Producer producer(MetaqClient client) {
        boolean keyed = key != null || format == MessageFormat.JSON;
        return client.producer()
                .partitionSelector(keyed ? PartitionSelector.byKey() : PartitionSelector.roundRobin())
                .durability(durability)
                .timeout(Duration.ofSeconds(timeoutSeconds))
                .build();
    }

    private InputStream open(Path file) throws IOException {
        return file.toString().equals("-") ? terminal.in() : Files.newInputStream(file);
    }

    private void sendAll(MetaqClient client, Producer producer, MessageReader reader, Progress progress)
            throws IOException {
        InputMessage input = reader.next();
        while (input != null && (keepGoing || tally.failed() == 0)) {
            int size = input.data().length;
            producer.send(message(client, input), (result, failure) -> tally.completed(size, failure));
            progress.update(tally::rate);
            input = reader.next();
        }
    }

    private Message message(MetaqClient client, InputMessage input) {
        Message message = Message.of(topic, input.data());
        String messageKey = input.key() != null ? input.key() : key;
        String messageAttribute = input.attribute() != null ? input.attribute() : attribute;
        Integer partition = input.partition() != null ? input.partition() : partitions.number();
        message = messageKey == null ? message : message.key(messageKey);
        message = messageAttribute == null ? message : message.attribute(messageAttribute);
        message = input.flag() == null ? message : message.flag(input.flag());
        return partition == null
                ? message
                : message.to(targets.computeIfAbsent(partition, number -> partitions.single(client, topic, number)));
    }

    private void report() {
        if (tally.failed() > 0) {
            terminal.tell("metaq: %d messages were not stored; the first: %s", tally.failed(), tally.firstFailure());
        }
        if (!quiet) {
            terminal.tell("sent %s", tally.rate());
        }
    }
}
