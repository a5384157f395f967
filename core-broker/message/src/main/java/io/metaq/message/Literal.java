package io.metaq.message;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A Boolean, Long, Double or String that stands in the text. */
record Literal(Kind kind, Object value) implements Expression {
    static final Literal TRUE = new Literal(Kind.BOOLEAN, Boolean.TRUE);
    static final Literal FALSE = new Literal(Kind.BOOLEAN, Boolean.FALSE);

    static Literal number(Number value) {
        return new Literal(Kind.NUMBER, value);
    }

    static Literal string(String value) {
        return new Literal(Kind.STRING, value);
    }

    byte[] utf8() {
        return ((String) value).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int depth() {
        return 1;
    }

    @Override
    public Object evaluate(@Nullable PropertyBlock properties, long messageId) {
        return value;
    }
}
