package io.metaq.broker.http;

import io.metaq.protocol.Status;

/** What a handler of the protocol replied. */
sealed interface Answer {
    /** A code and a text. */
    record Text(Status status, String text) implements Answer {}

    /** Messages were stored; id and offset are those of the first. */
    record Stored(long messageId, int partition, long offset) implements Answer {}

    /** A slice of a partition log. */
    record Slice(byte[] bytes) implements Answer {}

    /** The text, if the request was carried out. */
    default String ok() {
        if (this instanceof Text text && text.status() == Status.OK) {
            return text.text();
        }
        throw failure();
    }

    /** The refusal that this is. */
    default HttpFailure failure() {
        return this instanceof Text text
                ? HttpFailure.of(text.status(), text.text())
                : HttpFailure.of(Status.FAILED, "an answer of another kind was expected than " + getClass());
    }

    default boolean is(Status status) {
        return this instanceof Text text && text.status() == status;
    }
}
