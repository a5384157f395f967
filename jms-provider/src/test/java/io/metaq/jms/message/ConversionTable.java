package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The conversion tables of sections 3.5.4 and 3.11.3, whole: each value as each type. */
final class ConversionTable {
    /** A getter of one type. */
    interface Read {
        Object of(Object value) throws JMSException;
    }

    /** Values by their type's column in the table. */
    private static final Map<String, List<Object>> VALUES = new LinkedHashMap<>();

    static {
        VALUES.put("boolean", List.of(true, false));
        VALUES.put("byte", List.of((byte) 0, Byte.MIN_VALUE, Byte.MAX_VALUE));
        VALUES.put("short", List.of((short) 5, Short.MIN_VALUE, Short.MAX_VALUE));
        VALUES.put("char", List.of('a', '\uFFFF'));
        VALUES.put("int", List.of(5, Integer.MIN_VALUE, Integer.MAX_VALUE));
        VALUES.put("long", List.of(5L, Long.MIN_VALUE, Long.MAX_VALUE));
        VALUES.put("float", List.of(1.5f, Float.NaN, -0f, Float.MIN_VALUE));
        VALUES.put("double", List.of(1.5, Double.NEGATIVE_INFINITY, Double.MIN_VALUE));
        VALUES.put("byte[]", List.of(new byte[] {1, 2}, new byte[0]));
    }

    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "boolean", Set.of("boolean", "String"),
            "byte", Set.of("byte", "short", "int", "long", "String"),
            "short", Set.of("short", "int", "long", "String"),
            "char", Set.of("char", "String"),
            "int", Set.of("int", "long", "String"),
            "long", Set.of("long", "String"),
            "float", Set.of("float", "double", "String"),
            "double", Set.of("double", "String"),
            "byte[]", Set.of("byte[]"));

    private final Map<String, Read> reads;

    /** @param reads how each of the types is read: boolean, byte, …, String, byte[] */
    ConversionTable(Map<String, Read> reads) {
        this.reads = reads;
    }

    void checkValues(Set<String> without) {
        VALUES.forEach((type, values) -> {
            if (!without.contains(type)) {
                values.forEach(value -> reads.forEach((target, read) -> checkValue(type, value, target, read)));
            }
        });
    }

    private static void checkValue(String type, Object value, String target, Read read) {
        String what = type + " as " + target;
        if (!ALLOWED.get(type).contains(target)) {
            assertThatThrownBy(() -> read.of(value)).as(what).isExactlyInstanceOf(MessageFormatException.class);
            return;
        }
        Object got = read(read, value);
        if (target.equals("byte[]")) {
            assertThat(got).as(what).isEqualTo(value).isNotSameAs(value);
        } else if (target.equals("float") || target.equals("double")) {
            assertThat((Object) ((Number) got).doubleValue())
                    .as(what)
                    .isEqualTo(Double.valueOf(((Number) value).doubleValue()));
        } else {
            assertThat(got).as(what).hasToString(value.toString());
        }
    }

    private static Object read(Read read, Object value) {
        try {
            return read.of(value);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    void checkStrings() throws JMSException {
        assertThat(reads.get("boolean").of("true")).isEqualTo(true);
        assertThat(reads.get("boolean").of("TRUE")).isEqualTo(true);
        assertThat(reads.get("boolean").of("yes")).isEqualTo(false);
        assertThat(reads.get("byte").of("-7")).isEqualTo((byte) -7);
        assertThat(reads.get("short").of("300")).isEqualTo((short) 300);
        assertThat(reads.get("int").of("70000")).isEqualTo(70000);
        assertThat(reads.get("long").of("-5000000000")).isEqualTo(-5_000_000_000L);
        assertThat(reads.get("float").of("1.5")).isEqualTo(1.5f);
        assertThat(reads.get("double").of("1e300")).isEqualTo(1e300);
        assertThat(reads.get("String").of("text")).isEqualTo("text");
        for (String type : List.of("byte", "short", "int", "long", "float", "double")) {
            assertThatThrownBy(() -> reads.get(type).of("no number"))
                    .as(type)
                    .isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> reads.get(type).of("")).as(type).isInstanceOf(NumberFormatException.class);
        }
        assertThatThrownBy(() -> reads.get("byte").of("128")).isInstanceOf(NumberFormatException.class);
        for (String type : List.of("char", "byte[]")) {
            if (reads.containsKey(type)) {
                assertThatThrownBy(() -> reads.get(type).of("c")).isExactlyInstanceOf(MessageFormatException.class);
            }
        }
    }

    void checkNull() throws JMSException {
        assertThat(reads.get("boolean").of(null)).isEqualTo(false);
        assertThat(reads.get("String").of(null)).isNull();
        for (String type : List.of("byte", "short", "int", "long")) {
            assertThatThrownBy(() -> reads.get(type).of(null))
                    .as(type)
                    .isExactlyInstanceOf(NumberFormatException.class);
        }
        for (String type : List.of("float", "double", "char")) {
            if (reads.containsKey(type)) {
                assertThatThrownBy(() -> reads.get(type).of(null))
                        .as(type)
                        .isExactlyInstanceOf(NullPointerException.class);
            }
        }
        if (reads.containsKey("byte[]")) {
            assertThat(reads.get("byte[]").of(null)).isNull();
        }
    }
}
