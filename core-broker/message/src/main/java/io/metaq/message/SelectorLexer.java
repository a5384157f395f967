package io.metaq.message;

import java.util.Locale;
import java.util.Set;

/** Cuts a selector into tokens. */
final class SelectorLexer {
    static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private final String text;
    private int at;

    SelectorLexer(String text) {
        this.text = text;
    }

    SelectorToken next() throws InvalidSelectorException {
        while (at < text.length() && " \t\n\r\f".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        int start = at;
        if (at == text.length()) {
            return new SelectorToken(SelectorToken.Type.END, "", at);
        }
        char first = text.charAt(at);
        if (first == '\'') {
            return string();
        }
        if (digit(at) || first == '.' && digit(at + 1)) {
            return number();
        }
        int point = text.codePointAt(at);
        if (Character.isJavaIdentifierStart(point)) {
            return word();
        }
        int length = text.startsWith("<>", at) || text.startsWith("<=", at) || text.startsWith(">=", at) ? 2 : 1;
        if ("=<>+-*/(),".indexOf(first) < 0) {
            throw new InvalidSelectorException(text, start, "unexpected character '" + Character.toString(point) + "'");
        }
        at += length;
        return new SelectorToken(SelectorToken.Type.SIGN, text.substring(start, at), start);
    }

    private SelectorToken word() {
        int start = at;
        while (at < text.length() && Character.isJavaIdentifierPart(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        String word = text.substring(start, at);
        String capitals = word.toUpperCase(Locale.ROOT);
        return RESERVED.contains(capitals)
                ? new SelectorToken(SelectorToken.Type.WORD, capitals, start)
                : new SelectorToken(SelectorToken.Type.IDENTIFIER, word, start);
    }

    private SelectorToken string() throws InvalidSelectorException {
        int start = at++;
        StringBuilder value = new StringBuilder();
        while (true) {
            int quote = text.indexOf('\'', at);
            if (quote < 0) {
                throw new InvalidSelectorException(text, start, "a string without its closing quote");
            }
            value.append(text, at, quote);
            at = quote + 1;
            if (at == text.length() || text.charAt(at) != '\'') {
                return new SelectorToken(SelectorToken.Type.STRING, value.toString(), start);
            }
            value.append('\'');
            at++;
        }
    }

    /** Takes all that could belong to a number; {@link NumberLiteral} decides. */
    private SelectorToken number() {
        int start = at;
        boolean hex = text.startsWith("0x", at) || text.startsWith("0X", at);
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean signOfExponent =
                    (c == '+' || c == '-') && (hex ? "pP" : "eE").indexOf(text.charAt(at - 1)) >= 0 && at > start;
            if (c != '.' && !signOfExponent && !Character.isJavaIdentifierPart(c)) {
                break;
            }
            at++;
        }
        return new SelectorToken(SelectorToken.Type.NUMBER, text.substring(start, at), start);
    }

    private boolean digit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }
}
