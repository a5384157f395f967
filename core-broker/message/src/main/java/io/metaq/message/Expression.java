package io.metaq.message;

import org.jspecify.annotations.Nullable;

/** A node of a parsed selector. */
interface Expression {
    /** What can be said about values without a message. */
    enum Kind {
        BOOLEAN,
        NUMBER,
        STRING,
        /** An identifier's: only the message tells. */
        ANY;

        boolean canBe(Kind kind) {
            return this == kind || this == ANY;
        }
    }

    Kind kind();

    /** Nodes on the longest way down, this one included: evaluation takes as many stack frames. */
    int depth();

    /** Boolean, a number, a string, or another value of a property; null is SQL's NULL, and unknown. */
    @Nullable
    Object evaluate(@Nullable PropertyBlock properties, long messageId);
}
