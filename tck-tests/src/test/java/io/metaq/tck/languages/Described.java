package io.metaq.tck.languages;

import io.metaq.testkit.json.Json;
import io.metaq.testkit.vector.TypedValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message as every language sees it, in words that each of them can say: what is sent is described so, and what was received.
 *
 * @param kind {@code text nulltext bytes map stream object none}
 * @param body by its kind a string, hex digits, {@code [name, type, value]} or {@code [type, value]}; null for none
 * @param size of a body that is too large to be told, in bytes; 0 for others
 * @param headers by name, without those that are as if they were absent
 * @param properties {@code [name, type, value]}
 */
record Described(
        String kind, @Nullable Object body, long size, Map<String, Object> headers, List<List<Object>> properties) {
    /** Bodies from here on are told by size and digest. */
    static final int LARGE = 1_000_000;

    private static final byte[] TEXT = "a\u00e4\u6f22\ud83d\ude00".getBytes(StandardCharsets.UTF_8);

    static Described of(String kind, @Nullable Object body) {
        return new Described(kind, body, 0, Map.of(), List.of());
    }

    /** A body of that many bytes, which every language can make for itself. */
    static Described generated(String kind, int size) {
        return new Described(kind, null, size, Map.of(), List.of());
    }

    Described with(Map<String, Object> newHeaders) {
        return new Described(kind, body, size, newHeaders, properties);
    }

    Described withProperties(List<List<Object>> newProperties) {
        return new Described(kind, body, size, headers, newProperties);
    }

    /** Bytes of a body that is made and not told. */
    byte[] generatedBody() {
        byte[] made = new byte[(int) size];
        for (int i = 0; i < made.length; i++) {
            made[i] = kind.equals("text") ? TEXT[i % TEXT.length] : (byte) i;
        }
        return made;
    }

    /** What is behind a name or number of this and that type. */
    static List<Object> entry(Object name, @Nullable Object value) {
        List<Object> triple = new ArrayList<>();
        triple.add(name);
        triple.addAll(pair(value));
        return triple;
    }

    static List<Object> pair(@Nullable Object value) {
        List<Object> pair = new ArrayList<>();
        pair.add(TypedValue.type(value));
        pair.add(TypedValue.describe(value));
        return pair;
    }

    /** Java's values by name, in the order of the description. */
    static Map<String, @Nullable Object> values(Object triples) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Object triple : (List<?>) triples) {
            List<?> parts = (List<?>) triple;
            values.put(String.valueOf(parts.get(0)), TypedValue.read(parts.get(1), parts.get(2)));
        }
        return values;
    }

    static List<@Nullable Object> plainValues(Object pairs) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Object pair : (List<?>) pairs) {
            values.add(TypedValue.read(((List<?>) pair).get(0), ((List<?>) pair).get(1)));
        }
        return values;
    }

    /** Of the bytes of a text or of bytes, which may be large. */
    static Described ofBytes(String kind, byte[] bytes, Map<String, Object> headers, List<List<Object>> properties) {
        if (bytes.length >= LARGE) {
            return new Described(kind, digest(bytes), bytes.length, headers, properties);
        }
        Object body = kind.equals("text")
                ? new String(bytes, StandardCharsets.UTF_8)
                : HexFormat.of().formatHex(bytes);
        return new Described(kind, body, 0, headers, properties);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** As it is told to another language. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", kind);
        if (size > 0) {
            json.put("size", size);
        } else if (body != null) {
            json.put("body", body);
        }
        json.put("headers", headers);
        json.put("properties", properties);
        return json;
    }

    /** As another language tells it. */
    @SuppressWarnings("unchecked")
    static Described fromJson(Map<String, Object> json) {
        boolean large = json.containsKey("size");
        return new Described(
                (String) json.get("kind"),
                large ? json.get("sha256") : json.get("body"),
                large ? (Long) json.get("size") : 0,
                (Map<String, Object>) json.get("headers"),
                (List<List<Object>>) json.get("properties"));
    }

    /** One text for all that are the same: maps have no order, and bodies that were made are told by their digest. */
    String canonical() {
        Object told = size > 0 && body == null ? digest(generatedBody()) : kind.equals("map") ? sorted(body) : body;
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("kind", kind);
        all.put("body", told);
        all.put("headers", new TreeMap<>(headers));
        all.put("properties", sorted(properties));
        return Json.write(all);
    }

    private static List<?> sorted(@Nullable Object triples) {
        return ((List<?>) triples)
                .stream()
                        .sorted(Comparator.comparing(triple -> String.valueOf(((List<?>) triple).get(0))))
                        .toList();
    }
}
