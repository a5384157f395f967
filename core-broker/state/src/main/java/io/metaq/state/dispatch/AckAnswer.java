package io.metaq.state.dispatch;

import org.jspecify.annotations.Nullable;

/** Told of the end of an acknowledgement, on the dispatch's thread. */
@FunctionalInterface
public interface AckAnswer {
    AckAnswer NONE = (acknowledged, missed, failure) -> {};

    /**
     * @param acknowledged messages that are acknowledged now
     * @param missed messages that were not the consumer's to acknowledge
     * @param failure why nothing was acknowledged, null if it was
     */
    void acknowledged(int acknowledged, int missed, @Nullable Throwable failure);
}
