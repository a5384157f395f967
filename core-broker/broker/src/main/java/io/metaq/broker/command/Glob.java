package io.metaq.broker.command;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A pattern of names in which {@code *} stands for anything and all else for itself. */
final class Glob {
    private final Pattern pattern;

    Glob(String text) {
        pattern = Pattern.compile(
                Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                Pattern.DOTALL);
    }

    boolean matches(String name) {
        return pattern.matcher(name).matches();
    }
}
