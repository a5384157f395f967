package io.metaq.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text of the protocol document, and in what it differs from the code. */
final class ProtocolDocument {
    private static final Pattern OPTION = Pattern.compile("([a-z-]+)=");
    private static final Pattern USAGE =
            Pattern.compile("(?m)^(topic|group|subscription|tx) ([a-z]+) +(?:NAME|GLOB|KEY|G) OPQ(.*)$");

    private final String text;
    private final List<String> differences = new ArrayList<>();

    ProtocolDocument(String text) {
        this.text = text;
    }

    static String read() throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve("ruby-python-protocol-spec").resolve("PROTOCOL.md");
            if (Files.isRegularFile(found)) {
                return Files.readString(found);
            }
        }
        throw new IllegalStateException("no PROTOCOL.md above " + Path.of("").toAbsolutePath());
    }

    /** A sentence for each thing that is in one and not in the other. */
    List<String> differences() {
        verbs();
        codes();
        operations();
        options();
        features();
        steps();
        kinds();
        limits();
        lengths();
        return differences;
    }

    private void verbs() {
        same("verbs", all("(?m)^### (.*)$", chapter("Commands")), requests().map(Verb::word));
        for (Verb verb : requests().toList()) {
            String command = command(verb);
            if (!command.contains("\n| reply | when |\n")) {
                differences.add(verb + " has no table of replies");
            }
            if (!typed(command).contains("\n→ " + verb.word())) {
                differences.add(verb + " has no example");
            }
        }
        for (Verb verb : Verb.values()) {
            if (verb.isReply() && !text.contains("`" + verb.word()) && !text.contains("\n" + verb.word() + " ")) {
                differences.add(verb + " is not named");
            }
        }
    }

    private static Stream<Verb> requests() {
        return Arrays.stream(Verb.values()).filter(verb -> !verb.isReply());
    }

    private void codes() {
        same(
                "codes",
                all("(?m)^\\| (\\d{3} \\| [A-Z_]+ \\|[^|]*\\|[^|]*\\| *[a-z]+)[^|]*\\|$", chapter("Codes")).stream()
                        .map(row -> row.replaceAll("\\|[^|]*\\| *(yes|no|) *\\| *", "| $1 | "))
                        .collect(Collectors.toSet()),
                Arrays.stream(Status.values())
                        .map(status -> status.code() + " | " + status + " | " + retriable(status) + " | "
                                + status.actor().name().toLowerCase()));
    }

    private static String retriable(Status status) {
        return status == Status.OK ? "" : status.retriable() ? "yes" : "no";
    }

    private void operations() {
        Set<String> listed = new TreeSet<>();
        for (MatchResult usage : USAGE.matcher(text).results().toList()) {
            AdminOperation operation =
                    AdminOperation.of(Verb.valueOf(usage.group(1).toUpperCase()), usage.group(2));
            String name = usage.group(1) + " " + usage.group(2);
            listed.add(name);
            if (operation != null && !operation.takes("any")) {
                same("options of " + name, all(OPTION, usage.group(3)), operation.options().stream());
            }
        }
        same("operations", listed, Arrays.stream(AdminOperation.values()).map(ProtocolDocument::name));
        for (AdminOperation operation : AdminOperation.values()) {
            if (!typed(command(operation.family())).contains("\n→ " + name(operation) + " ")) {
                differences.add(name(operation) + " has no example");
            }
        }
    }

    private static String name(AdminOperation operation) {
        return operation.family().word() + " " + operation.word();
    }

    private void options() {
        requests().filter(verb -> AdminOperation.ofFamily(verb).isEmpty()).forEach(verb -> {
            String command = command(verb);
            int from = command.indexOf("```\n");
            String usage = from < 0 ? "" : command.substring(from, command.indexOf("```", from + 3));
            same("options of " + verb.word(), all(OPTION, usage), verb.options().stream());
        });
    }

    private void features() {
        same(
                "features",
                all("(?m)^\\| `([a-z-]+)` \\|", section("Negotiation")),
                words(Feature.values(), Feature::word));
        same(
                "features of the example",
                all("(?m)^features (.*)$", text).stream()
                        .flatMap(line -> Stream.of(line.split(",")))
                        .collect(Collectors.toSet()),
                words(Feature.values(), Feature::word));
    }

    private void steps() {
        same(
                "steps",
                all("(?m)^\\| `([A-Z_]+)` \\|", command(Verb.TRANSACTION)),
                words(Request.Transaction.Step.values(), Enum::name));
    }

    private void kinds() {
        same("kinds", all("(?m)^\\| `([a-z-]+)` \\|", section("Kinds")), words(AttachKind.values(), AttachKind::word));
        Set<String> usage = all("kind=([a-z|-]+)", command(Verb.ATTACH).substring(0, 300));
        same(
                "kinds of attach",
                Set.of(String.join("|", usage).split("\\|")),
                words(AttachKind.values(), AttachKind::word));
    }

    private void limits() {
        Stream.of(
                        String.format("%,d bytes (`maxLineSize`)", Limits.DEFAULT.maxLineBytes()),
                        String.format("%,d bytes (`maxMessageSize`)", Limits.DEFAULT.maxBodyBytes()))
                .filter(limit -> !text.contains(limit))
                .forEach(limit -> differences.add("the limit " + limit + " is not there"));
    }

    /** Of examples whose text is one line, with or without its end. */
    private void lengths() {
        Pattern.compile("(?m)^result \\d+ (\\d+) \\d+\n([^\n`→⇒…][^\n`…]*)\n(?=[→⇒]|```)")
                .matcher(text)
                .results()
                .filter(m -> {
                    int without = Integer.parseInt(m.group(1)) - m.group(2).length();
                    return without != 0 && without != 2;
                })
                .forEach(m -> differences.add("not the length of its text: " + m.group()));
    }

    private static <T> Stream<String> words(T[] values, Function<T, String> word) {
        return Arrays.stream(values).map(word);
    }

    private void same(String what, Collection<String> inDocument, Stream<String> inCode) {
        Set<String> surplus = new TreeSet<>(inDocument);
        Set<String> missing = inCode.collect(Collectors.toCollection(TreeSet::new));
        Set<String> both = new TreeSet<>(surplus);
        both.retainAll(missing);
        surplus.removeAll(both);
        missing.removeAll(both);
        if (!surplus.isEmpty()) {
            differences.add(what + " that are only in the document: " + surplus);
        }
        if (!missing.isEmpty()) {
            differences.add(what + " that are only in the code: " + missing);
        }
    }

    /** What is typed in the dialogues of a part. */
    private static String typed(String part) {
        return "\n" + String.join("\n", all("(?m)^(→ .*)$", part));
    }

    private String chapter(String title) {
        return between("\n## " + title + "\n", "\n## ");
    }

    private String section(String title) {
        return between("\n### " + title + "\n", "\n##");
    }

    private String command(Verb verb) {
        return section(verb.word());
    }

    private String between(String start, String end) {
        int from = text.indexOf(start);
        if (from < 0) {
            return "";
        }
        int to = text.indexOf(end, from + start.length());
        return text.substring(from, to < 0 ? text.length() : to);
    }

    private static Set<String> all(String regex, String text) {
        return all(Pattern.compile(regex), text);
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(m -> m.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }
}
