package io.metaq.cli;

import org.jspecify.annotations.Nullable;

/** A message read from an input, before it is known where it goes; parts that the input does not give are null. */
record InputMessage(
        byte[] data,
        @Nullable String key,
        @Nullable String attribute,
        @Nullable Integer flag,
        @Nullable Integer partition) {

    static InputMessage of(byte[] data) {
        return new InputMessage(data, null, null, null, null);
    }
}
