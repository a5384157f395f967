package io.metaq.protocol;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a consumer attaches to, and how. */
public enum AttachKind {
    /** The queue's one subscription, shared by all its consumers. */
    QUEUE("queue"),
    /** A durable subscription with one consumer at a time; made if it is not there. */
    DURABLE("durable"),
    /** A durable subscription with any number of consumers; made if it is not there. */
    SHARED_DURABLE("shared-durable"),
    /** A subscription with any number of consumers that goes with the last of them. */
    SHARED("shared"),
    /** A subscription of this one consumer, which goes with it. */
    EXCLUSIVE("exclusive"),
    /** Looks at what a queue holds, without taking anything. */
    BROWSE("browse");

    private final String word;

    AttachKind(String word) {
        this.word = word;
    }

    /** The value of the {@code kind} option. */
    public String word() {
        return word;
    }

    /** Whether the subscription stays when its last consumer is gone. */
    public boolean durable() {
        return this == QUEUE || this == DURABLE || this == SHARED_DURABLE;
    }

    /** Whether it may have several consumers at once. */
    public boolean shared() {
        return this == QUEUE || this == SHARED || this == SHARED_DURABLE;
    }

    public static @Nullable AttachKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word.equals(word))
                .findFirst()
                .orElse(null);
    }
}
