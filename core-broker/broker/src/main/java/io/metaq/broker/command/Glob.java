package io.metaq.broker.command;

import java.util.regex.Pattern;

/** A pattern of names in which {@code *} stands for anything and all else for itself. */
final class Glob {
    private final Pattern pattern;

    Glob(String text) {
        StringBuilder regex = new StringBuilder();
        for (String literal : text.split("\\*", -1)) {
            regex.append(regex.length() == 0 ? "" : ".*").append(Pattern.quote(literal));
        }
        this.pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    boolean matches(String name) {
        return pattern.matcher(name).matches();
    }
}
