package io.metaq.tck.languages;

import static io.metaq.tck.languages.Described.entry;
import static io.metaq.tck.languages.Described.generated;
import static io.metaq.tck.languages.Described.of;
import static io.metaq.tck.languages.Described.pair;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages of all kinds: bodies, properties and headers, each with what is at the edge of its type. */
final class Messages {
    private static final int TEN_MEGABYTES = 10 << 20;
    private static final String TEXT = "h\u00e4\u00dflich \u6f22\u5b57 \ud83d\ude00 \"quoted\" \\ \t end";

    private Messages() {}

    static List<Described> all() {
        List<Described> all = new ArrayList<>();
        all.addAll(bodies());
        all.addAll(properties());
        all.addAll(headers());
        all.add(generated("bytes", TEN_MEGABYTES));
        all.add(generated("text", TEN_MEGABYTES));
        return all;
    }

    private static List<Described> bodies() {
        Map<String, @Nullable Object> values = values();
        values.put("raw", new byte[] {0, -1, 16});
        values.put("letter", '\u00e4');
        values.putAll(numbers());
        return List.of(
                of("text", "hi"),
                of("text", ""),
                of("text", TEXT),
                of("nulltext", null),
                of("bytes", "00ff80"),
                of("bytes", ""),
                of("map", triples(values)),
                of("map", List.of()),
                of("stream", values.values().stream().map(Described::pair).toList()),
                of("stream", List.of()),
                of("stream", List.of(pair("one"))),
                // A string in Java's serialization.
                of("object", "aced00057400026869"),
                of("none", null));
    }

    private static List<Described> properties() {
        return List.of(
                of("text", "properties").withProperties(triples(values())),
                of("bytes", "01").withProperties(triples(numbers())),
                of("none", null)
                        .withProperties(List.of(entry("gr\u00f6\u00dfe", TEXT), entry("\u6f22\u5b57", "\ud83d\ude00"))),
                of("map", List.of(entry("a", 1))).withProperties(List.of(entry("n".repeat(300), "v".repeat(700)))));
    }

    /** What JMS knows of properties, but for numbers with a fraction. */
    private static Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("yes", true);
        values.put("no", false);
        values.put("byte", Byte.MIN_VALUE);
        values.put("byte2", Byte.MAX_VALUE);
        values.put("short", Short.MIN_VALUE);
        values.put("short2", Short.MAX_VALUE);
        values.put("int", Integer.MIN_VALUE);
        values.put("int2", Integer.MAX_VALUE);
        values.put("long", Long.MIN_VALUE);
        values.put("long2", Long.MAX_VALUE);
        values.put("long3", 5L);
        values.put("string", TEXT);
        values.put("empty", "");
        values.put("nothing", null);
        return values;
    }

    private static Map<String, @Nullable Object> numbers() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("f_half", 0.5f);
        values.put("f_zero", -0.0f);
        values.put("f_max", Float.MAX_VALUE);
        values.put("f_min", Float.MIN_VALUE);
        values.put("f_nan", Float.NaN);
        values.put("f_up", Float.POSITIVE_INFINITY);
        values.put("f_down", Float.NEGATIVE_INFINITY);
        values.put("d_tenth", 0.1);
        values.put("d_zero", -0.0);
        values.put("d_whole", 5.0);
        values.put("d_max", Double.MAX_VALUE);
        values.put("d_min", Double.MIN_VALUE);
        values.put("d_nan", Double.NaN);
        values.put("d_up", Double.POSITIVE_INFINITY);
        values.put("d_down", Double.NEGATIVE_INFINITY);
        return values;
    }

    private static List<List<Object>> triples(Map<String, @Nullable Object> values) {
        List<List<Object>> triples = new ArrayList<>();
        values.forEach((name, value) -> triples.add(entry(name, value)));
        return triples;
    }

    private static List<Described> headers() {
        return List.of(
                of("text", "headers")
                        .with(Map.of(
                                "type",
                                TEXT,
                                "correlationId",
                                "order-4711 " + TEXT,
                                "replyTo",
                                "queue://answers",
                                "persistent",
                                false,
                                "timeToLive",
                                3_600_000L)),
                of("text", "urgent").with(Map.of("priority", 9L)),
                of("text", "low").with(Map.of("priority", 0L, "replyTo", "topic://news")),
                of("text", "bytes").with(Map.of("correlationIdBytes", "00ff10")),
                of("text", "later").with(Map.of("delay", 250L)),
                of("text", "in a group").with(Map.of("groupId", "g " + TEXT, "groupSeq", 7L)));
    }
}
