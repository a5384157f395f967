package io.metaq.state.dispatch;

import io.metaq.message.Selector;
import org.jspecify.annotations.Nullable;

/**
 * Which messages an operator moves, and where to.
 *
 * @param target null: where each came from, for dead letters
 * @param selector null for all
 * @param id number of the one message, or null
 * @param most how many at most
 */
public record MoveOrder(
        @Nullable String target,
        @Nullable Selector selector,
        @Nullable Long id,
        int most) {}
