package io.metaq.testkit.vector;

import static java.util.Objects.requireNonNull;

import io.metaq.testkit.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/**
 * Who owns what in a group, from {@code balancing.json}.
 *
 * @param rule {@code DEFAULT} or {@code CONSIST}
 * @param members in any order
 * @param partitions as {@code broker-partition}, in any order
 * @param owned of each member what it owns, sorted as text
 */
public record BalancingVector(
        String name, String rule, List<String> members, List<String> partitions, Map<String, List<String>> owned) {

    /** All of them. */
    @SuppressWarnings("unchecked")
    public static List<BalancingVector> all() {
        try {
            String text = Files.readString(VectorFile.repositoryDirectory().resolve("balancing.json"));
            List<Map<String, Object>> vectors = (List<Map<String, Object>>) requireNonNull(Json.parse(text));
            return vectors.stream()
                    .map(json -> new BalancingVector(
                            (String) field(json, "name"),
                            (String) field(json, "rule"),
                            (List<String>) field(json, "members"),
                            (List<String>) field(json, "partitions"),
                            (Map<String, List<String>>) field(json, "owned")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object field(Map<String, Object> json, String name) {
        return requireNonNull(json.get(name), name);
    }

    @Override
    public String toString() {
        return rule + ": " + name;
    }
}
