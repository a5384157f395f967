package io.metaq.message;

/**
 * @param text an identifier or string without quotes, a number or sign as it stands, a reserved word in capitals
 * @param position index in the selector of its first character
 */
record SelectorToken(Type type, String text, int position) {
    enum Type {
        IDENTIFIER,
        /** A reserved word. */
        WORD,
        STRING,
        NUMBER,
        SIGN,
        END
    }

    boolean is(Type type, String text) {
        return this.type == type && this.text.equals(text);
    }

    @Override
    public String toString() {
        return type == Type.END ? "the end" : "'" + text + "'";
    }
}
