package io.metaq.broker.command;

import java.util.regex.Pattern;

/** A pattern of names: {@code *} stands for anything, {@code ?} for one character, and all else for itself. */
final class Glob {
    private final Pattern pattern;

    Glob(String text) {
        StringBuilder regex = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                default -> regex.append(Pattern.quote(Character.toString(c)));
            }
        });
        this.pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    boolean matches(String name) {
        return pattern.matcher(name).matches();
    }
}
