package io.metaq.broker.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that the broker refuses to start with; the message has one line for each mistake. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining(System.lineSeparator())));
        this.problems = List.copyOf(problems);
    }

    /** At least one, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
