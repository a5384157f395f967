package io.metaq.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code topic}, {@code group}, {@code subscription} and {@code tx} can do, and the options each takes. */
public enum AdminOperation {
    /** Options are {@code partitions} and the topic's settings, whose names the broker's configuration knows. */
    TOPIC_CREATE(Verb.TOPIC, "create", true),
    TOPIC_ALTER(Verb.TOPIC, "alter", true),
    TOPIC_DELETE(Verb.TOPIC, "delete", false),
    TOPIC_CLOSE(Verb.TOPIC, "close", false, "partition", "for"),
    TOPIC_OPEN(Verb.TOPIC, "open", false, "partition", "for"),
    TOPIC_DESCRIBE(Verb.TOPIC, "describe", false),
    TOPIC_LIST(Verb.TOPIC, "list", false),
    TOPIC_SCRUB(Verb.TOPIC, "scrub", false, "partition"),
    TOPIC_ROUTES(Verb.TOPIC, "routes", false),
    GROUP_COMMIT(Verb.GROUP, "commit", false, "topic", "partition", "offset", "id"),
    GROUP_OFFSETS(Verb.GROUP, "offsets", false, "topic"),
    GROUP_LIST(Verb.GROUP, "list", false),
    GROUP_DESCRIBE(Verb.GROUP, "describe", false),
    GROUP_RESET(Verb.GROUP, "reset", false, "topic", "partition", "to"),
    GROUP_HISTORY(Verb.GROUP, "history", false, "topic"),
    GROUP_DELETE(Verb.GROUP, "delete", false),
    GROUP_JOIN(Verb.GROUP, "join", false, "member", "topics", "generation", "wait"),
    GROUP_LEAVE(Verb.GROUP, "leave", false, "member"),
    GROUP_RELEASE(Verb.GROUP, "release", false, "member", "topic", "partition"),
    SUBSCRIPTION_CREATE(Verb.SUBSCRIPTION, "create", false, "topic", "kind", "selector", "nolocal-origin", "from"),
    SUBSCRIPTION_DELETE(Verb.SUBSCRIPTION, "delete", false),
    SUBSCRIPTION_LIST(Verb.SUBSCRIPTION, "list", false, "topic"),
    SUBSCRIPTION_DESCRIBE(Verb.SUBSCRIPTION, "describe", false),
    SUBSCRIPTION_PURGE(Verb.SUBSCRIPTION, "purge", false),
    SUBSCRIPTION_SEEK(Verb.SUBSCRIPTION, "seek", false, "to", "partition"),
    SUBSCRIPTION_PAUSE(Verb.SUBSCRIPTION, "pause", false),
    SUBSCRIPTION_RESUME(Verb.SUBSCRIPTION, "resume", false),
    SUBSCRIPTION_MOVE(Verb.SUBSCRIPTION, "move", false, "to", "selector", "count", "id"),
    SUBSCRIPTION_REDRIVE(Verb.SUBSCRIPTION, "redrive", false, "count"),
    SUBSCRIPTION_EXPLAIN(Verb.SUBSCRIPTION, "explain", false, "selector"),
    TX_LIST(Verb.TX, "list", false),
    TX_SHOW(Verb.TX, "show", false),
    TX_COMMIT(Verb.TX, "commit", false),
    TX_ROLLBACK(Verb.TX, "rollback", false),
    TX_FORGET(Verb.TX, "forget", false);

    private final Verb family;
    private final String word;
    private final boolean openOptions;
    private final Set<String> options;

    AdminOperation(Verb family, String word, boolean openOptions, String... options) {
        this.family = family;
        this.word = word;
        this.openOptions = openOptions;
        this.options = Set.of(options);
    }

    /** {@link Verb#TOPIC}, {@link Verb#GROUP}, {@link Verb#SUBSCRIPTION} or {@link Verb#TX}. */
    public Verb family() {
        return family;
    }

    /** The second word of the command. */
    public String word() {
        return word;
    }

    /** Whether the codec lets an option of this name pass. Open operations are checked by the broker alone. */
    public boolean takes(String option) {
        return openOptions || options.contains(option);
    }

    /** The option names; empty for an operation whose options only the broker knows. */
    public Set<String> options() {
        return options;
    }

    /** All of one verb; none if it is no verb of theirs. */
    public static List<AdminOperation> ofFamily(Verb family) {
        return Arrays.stream(values())
                .filter(operation -> operation.family == family)
                .toList();
    }

    public static @Nullable AdminOperation of(Verb family, String word) {
        return Arrays.stream(values())
                .filter(operation -> operation.family == family && operation.word.equals(word))
                .findFirst()
                .orElse(null);
    }
}
