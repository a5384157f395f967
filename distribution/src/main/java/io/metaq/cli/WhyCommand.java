package io.metaq.cli;

import io.metaq.cli.SubscriptionTasks.Target;
import io.metaq.client.MetaqClient;
import io.metaq.client.SubscriptionAdmin;
import io.metaq.client.SubscriptionAdmin.SubscriptionSummary;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "why",
        description = {
            "Says why a consumer of a queue or topic gets nothing: the reason in a sentence, then figures.",
            "For a topic, one reason for each of its subscriptions."
        },
        mixinStandardHelpOptions = true)
final class WhyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ConnectOptions connection = new ConnectOptions();

    @Parameters(paramLabel = "DESTINATION", description = "A queue or a topic.")
    private String destination = "";

    @Option(
            names = "--selector",
            paramLabel = "SELECTOR",
            description = "Of the consumer that gets nothing, if it has one.")
    private @Nullable String selector;

    WhyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (MetaqClient client = connection.connect()) {
            SubscriptionAdmin subscriptions = client.admin().subscriptions();
            List<SubscriptionSummary> found = subscriptions.list("*", destination);
            if (found.isEmpty()) {
                nobody(client);
            }
            SubscriptionTasks tasks = new SubscriptionTasks(terminal, connection);
            for (SubscriptionSummary one : found) {
                boolean queue = one.kind().equals("queue");
                tasks.explain(subscriptions, Target.ofSubscription(one.name()), selector, !queue);
            }
        }
        return ExitCode.OK;
    }

    /** @throws io.metaq.client.TopicNotFoundException if there is no such destination at all */
    private void nobody(MetaqClient client) {
        client.admin().describeTopic(destination);
        terminal.print(
                "topic %s has no subscription: what is sent to it is kept for readers of the log, but delivered to nobody",
                destination);
    }
}
