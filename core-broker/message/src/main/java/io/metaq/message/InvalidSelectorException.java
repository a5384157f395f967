package io.metaq.message;

/** A text that is no selector. The message says what is wrong with it and where. */
public final class InvalidSelectorException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_QUOTE = 200;

    private final int position;

    InvalidSelectorException(String text, int position, String problem) {
        super(problem + " at character " + (position + 1) + " of the selector " + quote(text));
        this.position = position;
    }

    /** Index in the text, from 0, of what is wrong; the text's length if its end is. */
    public int position() {
        return position;
    }

    private static String quote(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    }
}
