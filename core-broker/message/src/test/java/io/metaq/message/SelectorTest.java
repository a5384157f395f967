package io.metaq.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What selectors match. All conditions are evaluated on the same message. */
class SelectorTest {
    private static final PropertyBlock MESSAGE = PropertyBlock.of(ByteBuffer.wrap(new PropertyBlockWriter()
            .header(HeaderField.MESSAGE_ID, "ID:x-1")
            .header(HeaderField.TIMESTAMP, 1_700_000_000_000L)
            .header(HeaderField.PRIORITY, 7)
            .header(HeaderField.CORRELATION_ID, "corr")
            .header(HeaderField.TYPE, "car")
            .property("JMSXGroupID", "g1")
            .property("JMSXGroupSeq", 3)
            .property("JMS_MetaQ_x", "own")
            .property("color", "blue")
            .property("quote", "it's")
            .property("empty", "")
            .property("percent", "50%_off")
            .property("smile", "a\uD83D\uDE00b")
            .property("ok", true)
            .property("no", false)
            .property("b", (byte) 12)
            .property("s", (short) 1200)
            .property("i", 5)
            .property("l", 1L << 40)
            .property("f", 1.1f)
            .property("d", 2.5)
            .property("nan", Double.NaN)
            .property("min", Long.MIN_VALUE)
            .property("nothing", null)
            .property("$_ü9", 1)
            .property("number", "5")
            .toBytes()));

    private static Boolean truth(String text) {
        if (matches(text)) {
            return Boolean.TRUE;
        }
        // Unknown stays unknown when it is negated.
        return matches("NOT (" + text + ")") ? Boolean.FALSE : null;
    }

    private static boolean matches(String text) {
        try {
            return Selector.parse(text).matches(MESSAGE, 99);
        } catch (InvalidSelectorException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JMSType = 'car' AND color = 'blue' AND i > 4",
                "TRUE",
                "true",
                "NOT FALSE",
                "ok",
                "ok = TRUE",
                "ok <> no",
                "ok = (NOT no)",
                "no = false",
                "NOT no",
                "color = 'blue'",
                "'blue' = color",
                "color <> 'red'",
                "color = color",
                "quote = 'it''s'",
                "empty = ''",
                "smile = 'a\uD83D\uDE00b'",
                "color='blue'and i=5",
                "(((i = 5)))",
                "$_ü9 = 1",
                "\t\n\f\r i = 5 ",
                // numbers
                "i = 5",
                "i = 5L",
                "i = 5l",
                "i = 0x5",
                "i = 0X5",
                "i = 05",
                "i = 0b101",
                "i = 5.0",
                "i = 5.",
                "i = .5e1",
                "i = 5f",
                "i = 5D",
                "i = 0x1.4p2",
                "i = 50E-1",
                "i = +5",
                "i = --5",
                "i = -(-5)",
                "i = - -5",
                "s = 1_200",
                "0x10 = 16",
                "017 = 15",
                "0xFFFFFFFFFFFFFFFF = -1",
                "0 = 0.0",
                "-0.0 = 0",
                "7 = 7.",
                "min = -9223372036854775808",
                "min < -9223372036854775807",
                "l = 1099511627776",
                "f = 1.1f",
                "f <> 1.1",
                "b = 12",
                "s = 1200",
                "d = 2.5",
                "b < s",
                "i < l",
                "d > i - 3",
                "f >= 1",
                "f <= 2",
                "i >= 5",
                "i <= 5",
                "nan <> nan",
                "i <> 6",
                "JMSPriority = 7",
                "JMSXGroupSeq = 3",
                // arithmetic and its precedence
                "i + 1 = 6",
                "i - 1 - 1 = 3",
                "i * 2 + 1 = 11",
                "1 + i * 2 = 11",
                "(1 + i) * 2 = 12",
                "i / 2 = 2",
                "i / 2.0 = 2.5",
                "7 / 2 * 2 = 6",
                "-i = -5",
                "+i = 5",
                "-i + 10 = 5",
                "i*-1 = -5",
                "i - -1 = 6",
                "i+1=6",
                "i-1=4",
                "1 / 0.0 > 1e300",
                "f + 0 > 1.09",
                "9223372036854775807 + 1 < 0",
                // logic
                "i = 6 OR i = 5",
                "i = 5 OR i = 6 AND i = 7",
                "NOT i = 6 AND i = 5",
                "NOT (i = 6 OR i = 7)",
                "nothing = 1 OR i = 5",
                "i = 5 OR nothing = 1",
                "NOT (nothing = 1 AND i = 6)",
                "NOT NOT i = 5",
                // between
                "i BETWEEN 5 AND 5",
                "i BETWEEN 4 and 6",
                "i between 1+1 and 2*3 AND ok",
                "i NOT BETWEEN 6 AND 9",
                "i NOT BETWEEN 1 AND 4",
                "d BETWEEN 2 AND 3",
                "4.5 BETWEEN 4 AND i",
                "i NOT BETWEEN nothing AND 4",
                // in
                "color IN ('blue')",
                "color IN ('red', 'blue')",
                "color NOT IN ('red','green')",
                "JMSType IN ('car')",
                // like
                "color LIKE 'blue'",
                "color LIKE 'b%'",
                "color LIKE '%e'",
                "color LIKE '%l%'",
                "color LIKE '%'",
                "color LIKE 'b__e'",
                "color LIKE '%b%l%u%e%'",
                "color LIKE '____'",
                "color NOT LIKE '_____'",
                "color NOT LIKE 'lue'",
                "color NOT LIKE 'Blue'",
                "empty LIKE ''",
                "empty LIKE '%'",
                "empty NOT LIKE '_'",
                "percent LIKE '50!%!_off' ESCAPE '!'",
                "percent LIKE '__\\%%' ESCAPE '\\'",
                "percent NOT LIKE '5!%%' escape '!'",
                "smile LIKE 'a_b'",
                "quote LIKE 'it''_'",
                "color LIKE 'b%%%e'",
                "percent LIKE '%%%_off' ESCAPE '\uD83D\uDE00'",
                // null
                "absent IS NULL",
                "nothing IS NULL",
                "color IS NOT NULL",
                "JMSCorrelationID IS NOT NULL",
                "JMSXUserID IS NULL",
                "NOT color IS NULL",
                // headers
                "JMSMessageID = 'ID:x-1'",
                "JMSTimestamp > 0",
                "JMSCorrelationID = 'corr'",
                "JMSDeliveryMode = 'PERSISTENT'",
                "JMSDeliveryMode <> 'NON_PERSISTENT'",
                "JMSXGroupID = 'g1'",
                "JMS_MetaQ_x = 'own'",
                "JMSMessageID LIKE 'ID:%'",
            })
    void shouldMatch(String text) {
        assertThat(truth(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FALSE",
                "no",
                "NOT ok",
                "ok = FALSE",
                "ok <> TRUE",
                "color = 'red'",
                "color = 'Blue'",
                "Color IS NOT NULL",
                "color <> 'blue'",
                "i = 6",
                "i > 5",
                "i < 5",
                "i <> 5",
                "nan = nan",
                "nan < 1",
                "f = 1.1",
                "i = 6 AND nothing = 1",
                "nothing = 1 AND i = 6",
                "i BETWEEN 6 AND 9",
                "i NOT BETWEEN 5 AND 6",
                "i BETWEEN nothing AND 4",
                "color IN ('red')",
                "color NOT IN ('blue')",
                "color LIKE 'red%'",
                "color NOT LIKE 'bl%'",
                "absent IS NOT NULL",
                "color IS NULL",
                "JMSDeliveryMode = 'NON_PERSISTENT'",
                "color LIKE 'b_e'",
                "color LIKE ''",
                "percent LIKE '50!_%' ESCAPE '!'",
                // values of different kinds are neither equal nor unequal
                "color = 5",
                "color <> 5",
                "i = '5'",
                "i <> '5'",
                "ok = 'true'",
                "ok <> 1",
                "number = 5",
                "number > 4",
                "color > 1",
                "color < 1",
                "ok >= 1",
                "color BETWEEN 1 AND 9",
                "i IN ('5')",
                "i NOT IN ('6')",
                "i LIKE '5'",
                "i NOT LIKE '6'",
                "'a' = 1",
                "TRUE = 1",
            })
    void shouldBeFalse(String text) {
        assertThat(truth(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "absent",
                "nothing",
                "color",
                "i",
                "absent = 1",
                "absent <> 1",
                "absent > 1",
                "nothing = 'x'",
                "nothing <> 'x'",
                "absent = absent",
                "absent BETWEEN 1 AND 2",
                "i BETWEEN absent AND 9",
                "i NOT BETWEEN 1 AND absent",
                "absent IN ('a')",
                "absent NOT IN ('a')",
                "absent LIKE '%'",
                "absent NOT LIKE '%'",
                "absent + 1 = 1",
                "-absent = 1",
                "+color = 1",
                "color + 1 = 2",
                "-color = 1",
                "i / 0 = 1",
                "i / 0 <> 1",
                "nothing = 1 AND ok",
                "nothing = 1 OR no",
                "absent AND TRUE",
                "NOT color",
                "JMSXUserID = 'x'",
            })
    void shouldBeUnknown(String text) {
        assertThat(truth(text)).isNull();
    }

    @Test
    void shouldMatchEverythingWithoutCondition() throws InvalidSelectorException {
        assertThat(Selector.parse("").matches(null, 1)).isTrue();
        assertThat(Selector.parse(" \t").matches(MESSAGE, 1)).isTrue();
    }

    @Test
    void shouldSeeDefaultsWhereThereAreNoProperties() throws InvalidSelectorException {
        assertThat(Selector.parse("JMSMessageID = 'ID:42' AND JMSPriority = 4 AND JMSDeliveryMode = 'PERSISTENT'")
                        .matches(null, 42))
                .isTrue();
        assertThat(Selector.parse("JMSTimestamp IS NULL AND JMSType IS NULL AND a IS NULL AND JMSCorrelationID IS NULL")
                        .matches(null, 42))
                .isTrue();
        assertThat(Selector.parse("a = 'x' OR a <> 'x' OR JMSType = 'x'").matches(null, 42))
                .isFalse();
    }

    @Test
    void shouldSeeNonPersistent() throws InvalidSelectorException {
        PropertyBlock block = PropertyBlock.of(ByteBuffer.wrap(new PropertyBlockWriter()
                .header(HeaderField.DELIVERY_MODE, 1)
                .header(HeaderField.CORRELATION_ID, new byte[] {'a'})
                .toBytes()));
        assertThat(Selector.parse("JMSDeliveryMode = 'NON_PERSISTENT' AND JMSDeliveryMode IN ('NON_PERSISTENT')")
                        .matches(block, 1))
                .isTrue();
        assertThat(Selector.parse("JMSCorrelationID IS NULL").matches(block, 1)).isTrue();
        assertThat(Selector.parse("JMSCorrelationID = 'a'").matches(block, 1)).isFalse();
    }

    @Test
    void shouldMatchNoMalformedBlock() throws InvalidSelectorException {
        PropertyBlock malformed = PropertyBlock.of(ByteBuffer.wrap(new byte[] {8, 1, 'a', 0, 0, 1, 0}));
        for (String text : new String[] {"a = 'x'", "b IS NULL", "a LIKE '%'", "JMSPriority = 4"}) {
            assertThat(Selector.parse(text).matches(malformed, 1)).as(text).isFalse();
        }
    }

    @Test
    void shouldNotSlowDownOnPatternsMadeToBacktrack() throws InvalidSelectorException {
        String text = "a".repeat(20_000);
        PropertyBlock block = PropertyBlock.of(
                ByteBuffer.wrap(new PropertyBlockWriter().property("p", text).toBytes()));
        Selector selector = Selector.parse("p LIKE '" + "%a".repeat(200) + "%b'");
        assertThat(selector.matches(block, 1)).isFalse();
    }

    @Test
    void shouldKeepItsText() throws InvalidSelectorException {
        assertThat(Selector.parse(" a = 1 ").text()).isEqualTo(" a = 1 ");
        assertThat(Selector.parse("a = 1")).isEqualTo(Selector.parse("a = 1")).isNotEqualTo(Selector.parse("a=1"));
    }
}
