package io.metaq.state.dispatch;

import org.jspecify.annotations.Nullable;

/** Told of the end of a move, on the dispatch's thread. */
@FunctionalInterface
public interface MoveAnswer {
    /** @param failure what ended it early, null if nothing did */
    void moved(int messages, @Nullable Throwable failure);
}
