package io.metaq.broker.config;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One [topic=NAME] section. A {@code *} in the name stands for any characters; every other character for itself (in 1.4 the
 * dot of {@code a.b} stood for any character, and a wildcard section's own settings were ignored).
 */
final class TopicSection {
    private final String name;
    private final Pattern pattern;
    private final SettingValues own;

    TopicSection(String name, SettingValues own) {
        this.name = name;
        this.own = own;
        this.pattern = Pattern.compile(
                Stream.of(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
    }

    String name() {
        return name;
    }

    boolean isWildcard() {
        return name.indexOf('*') >= 0;
    }

    boolean matches(String topic) {
        return pattern.matcher(topic).matches();
    }

    /** Characters of the name that are no wildcard: of several sections that match, the one with most of them counts. */
    int literalCharacters() {
        return (int) name.chars().filter(c -> c != '*').count();
    }

    TopicConfig topic(String topic, SettingValues system) {
        return new TopicConfig(topic, own.over(system));
    }

    SettingValues own() {
        return own;
    }
}
