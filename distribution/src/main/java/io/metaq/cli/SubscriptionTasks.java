package io.metaq.cli;

import io.metaq.client.BrokerAddress;
import io.metaq.client.MetaqClient;
import io.metaq.client.SubscriptionAdmin;
import io.metaq.client.SubscriptionAdmin.SubscriptionSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What {@code queue} and {@code subscription} have in common: the work on one subscription, and its words. */
final class SubscriptionTasks {
    static final String PLACES = "first, last, a byte offset, or time:T; T as in consume --from.";

    private static final String NEXT_DUE = "next-due ";

    private final Terminal terminal;
    private final ConnectOptions connection;

    SubscriptionTasks(Terminal terminal, ConnectOptions connection) {
        this.terminal = terminal;
        this.connection = connection;
    }

    /**
     * A subscription as the user knows it.
     *
     * @param label such as {@code queue orders}
     * @param name the subscription's
     */
    record Target(String label, String name) {
        static Target ofQueue(String queue) {
            return new Target("queue " + queue, "queue:" + queue);
        }

        static Target ofSubscription(String name) {
            return new Target("subscription " + name, name);
        }
    }

    int admin(Consumer<SubscriptionAdmin> work) {
        try (MetaqClient client = connection.connect()) {
            work.accept(client.admin().subscriptions());
        }
        return ExitCode.OK;
    }

    int describe(Target target) {
        return admin(subscriptions -> printLines(target.label, subscriptions.describe(target.name)));
    }

    private void printLines(String label, Map<BrokerAddress, List<String>> lines) {
        lines.forEach((server, said) -> {
            terminal.print("%s on %s", label, server);
            said.forEach(line -> terminal.print("  %s", line));
        });
    }

    int purge(Target target, boolean yes) {
        return admin(subscriptions -> {
            long depth = existing(subscriptions, target).depth();
            if (!yes) {
                throw new CommandFailedException("this would drop the " + depth + " messages of " + target.label
                        + " for good; add --yes to do it");
            }
            subscriptions.purge(target.name);
            terminal.print("purged %s of %d messages", target.label, depth);
        });
    }

    /** @throws CommandFailedException if there is none of this name */
    static SubscriptionSummary existing(SubscriptionAdmin subscriptions, Target target) {
        return subscriptions.list(target.name, null).stream()
                .filter(found -> found.name().equals(target.name))
                .findFirst()
                .orElseThrow(() -> new CommandFailedException("there is no " + target.label));
    }

    int move(Target target, MoveOptions options) {
        return admin(subscriptions -> terminal.print(
                "moved %d messages from %s to %s",
                subscriptions.move(target.name, options.asOptions()), target.label, options.to()));
    }

    int redrive(Target target, @Nullable Long count) {
        return admin(subscriptions -> terminal.print(
                "moved %d dead letters of %s back to where they came from",
                subscriptions.redrive(target.name, count == null ? Long.MAX_VALUE : count), target.label));
    }

    int seek(Target target, String to, int partition) {
        String place = place(to);
        return admin(subscriptions -> {
            subscriptions.seek(target.name, place, partition);
            terminal.print("%s goes on from %s", target.label, to);
        });
    }

    /** The place in the protocol's words. */
    static String place(String to) {
        try {
            if (to.startsWith("time:")) {
                return "time:" + StartPoint.epochMs(to.substring("time:".length()));
            }
            String plain = to.startsWith("offset:") ? to.substring("offset:".length()) : to;
            if (plain.equals("first") || plain.equals("last") || Long.parseLong(plain) >= 0) {
                return plain;
            }
        } catch (IllegalArgumentException | java.time.format.DateTimeParseException e) {
            throw noPlace(to, e);
        }
        throw noPlace(to, null);
    }

    private static CommandFailedException noPlace(String to, @Nullable Exception cause) {
        CommandFailedException failure = new CommandFailedException(
                "'" + to + "' is no place to go to; give first, last, an offset, or time:T with T as"
                        + " 2026-11-30T08:00:00Z, -15m, or milliseconds since 1970",
                ExitCode.USAGE);
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    int pause(Target target, boolean paused) {
        return admin(subscriptions -> {
            if (paused) {
                subscriptions.pause(target.name);
            } else {
                subscriptions.resume(target.name);
            }
            terminal.print("%s %s", paused ? "paused" : "resumed", target.label);
        });
    }

    int browse(Target target, BrowseOptions options) {
        try (MetaqClient client = connection.connect()) {
            SubscriptionSummary subscription = existing(client.admin().subscriptions(), target);
            new SubscriptionBrowser(terminal, options).browse(client, subscription);
        }
        return ExitCode.OK;
    }

    /** Why a consumer gets nothing: the reason of each broker, then its figures. */
    void explain(SubscriptionAdmin subscriptions, Target target, @Nullable String selector, boolean named) {
        Map<BrokerAddress, List<String>> said = subscriptions.explain(target.name, selector);
        said.forEach((server, lines) -> {
            List<String> prefix = new ArrayList<>();
            if (named) {
                prefix.add(target.label);
            }
            if (said.size() > 1) {
                prefix.add("broker at " + server);
            }
            String head = prefix.isEmpty() ? "" : String.join(", ", prefix) + ": ";
            terminal.print("%s%s", head, lines.isEmpty() ? "the broker gives no reason" : lines.get(0));
            lines.stream().skip(1).forEach(line -> terminal.print("  %s", readable(line)));
        });
    }

    /** With a point in time as people write it. */
    private static String readable(String line) {
        String dueMs = line.startsWith(NEXT_DUE) ? line.substring(NEXT_DUE.length()) : "";
        return dueMs.matches("\\d{1,15}") ? NEXT_DUE + Instant.ofEpochMilli(Long.parseLong(dueMs)) : line;
    }

    /** What a subscription is made with. */
    static Map<String, String> creation(String topic, boolean shared, @Nullable String selector, String from) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("topic", topic);
        options.put("kind", shared ? "shared-durable" : "durable");
        if (selector != null) {
            options.put("selector", selector);
        }
        options.put("from", place(from));
        return options;
    }
}
