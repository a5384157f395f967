package io.metaq.testkit.vector;

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
            List<Map<String, Object>> vectors = (List<Map<String, Object>>) Json.parse(text);
            return vectors.stream()
                    .map(json -> new BalancingVector(
                            (String) json.get("name"),
                            (String) json.get("rule"),
                            (List<String>) json.get("members"),
                            (List<String>) json.get("partitions"),
                            (Map<String, List<String>>) json.get("owned")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return rule + ": " + name;
    }
}
