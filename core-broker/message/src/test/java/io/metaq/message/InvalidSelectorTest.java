package io.metaq.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no selector, and where the message says it is wrong (character counted from 1). */
class InvalidSelectorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a =                        | 4", "= 1                        | 1", "=TEST 'test'               | 1",
                "a = 1 AND                  | 10", "a = 1 OR OR b = 2          | 10", "a = 1 b = 2                | 7",
                "(a = 1                     | 7", "a = 1)                     | 6", "()                         | 2",
                "a == 1                     | 4", "a != 1                     | 3", "a = 1;                     | 6",
                "a = 'x                     | 5", "a = \"x\"                  | 5", "1uncorrect IS NULL         | 1",
                "%uncorrect IS NULL         | 1", "a-b.c = 1                  | 4", "#a = 1                     | 1",
                "5                          | 1", "'text'                     | 1", "1 + 1                      | 1",
                "-a                         | 1", "a + 1                      | 1", "NOT 5                      | 5",
                "a = 1 AND 'x'              | 11", "5 OR a = 1                 | 1", "'a' > 1                    | 1",
                "a > 'x'                    | 5", "a < TRUE                   | 5", "TRUE > 0                   | 1",
                "FALSE > 0                  | 1", "NULL = ZERO                | 1", "a = NULL                   | 5",
                "NOT > 0                    | 5", "AND > 0                    | 1", "BETWEEN > 0                | 1",
                "LIKE > 0                   | 1", "IN > 0                     | 1", "IS > 0                     | 1",
                "ESCAPE > 0                 | 1", "OR > 0                     | 1", "a BETWEEN 1                | 12",
                "a BETWEEN 1 OR 2           | 13", "a BETWEEN 'a' AND 'b'      | 11", "'a' BETWEEN 1 AND 2        | 1",
                "a BETWEEN 1 AND            | 16", "a IN ()                    | 7", "a IN ('x'                  | 10",
                "a IN (1)                   | 7", "a IN ('x',)                | 11", "a IN 'x'                   | 6",
                "'a' IN ('a')               | 1", "a + 1 IN ('a')             | 1", "JMSPriority IN ('a')       | 1",
                "a LIKE 5                   | 8", "a LIKE b                   | 8", "a LIKE 'x' ESCAPE 'xx'     | 19",
                "a LIKE 'x' ESCAPE ''       | 19", "a LIKE 'x!' ESCAPE '!'     | 8", "a LIKE 'x' ESCAPE 5        | 19",
                "'a' LIKE 'a'               | 1", "a IS                       | 5", "a IS 5                     | 6",
                "a IS NOT                   | 9", "5 IS NULL                  | 1", "(a + 1) IS NULL            | 1",
                "a NOT 5                    | 7", "a NOT = 5                  | 7", "a = 5 = 5                  | 7",
                "a = 99999999999999999999   | 5", "a = 08                     | 5", "a = 0x                     | 5",
                "a = 0xG                    | 5", "a = 1e                     | 5", "a = 1e400                  | 5",
                "a = 1.2.3                  | 5", "a = 5x                     | 5", "a = 1__                    | 5",
                "'a' + 1 = 2                | 1", "1 + 'a' = 2                | 5", "-'a' = 1                   | 2",
                "1 * TRUE = 1               | 5", "JMSDestination = 'x'       | 1", "JMSReplyTo IS NULL         | 1",
                "JMSExpiration > 0          | 1", "JMSRedelivered = FALSE     | 1", "JMSfoo = 1                 | 1",
                "a = 1, b = 2               | 6", "a = 9223372036854775808    | 5", "JMSType > 5                | 1",
            })
    void shouldBeRefused(String text, int character) {
        assertThatThrownBy(() -> Selector.parse(text)).isInstanceOfSatisfying(InvalidSelectorException.class, e -> {
            assertThat(e.position()).isEqualTo(character - 1);
            assertThat(e).hasMessageContaining("character " + character).hasMessageContaining(text);
        });
    }

    @Test
    void shouldKnowReservedWordsInAnyCaseAndLanguage() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            for (String word : SelectorLexer.RESERVED) {
                String small = word.toLowerCase(Locale.ROOT);
                assertThatThrownBy(() -> Selector.parse(small + " > 0")).isInstanceOf(InvalidSelectorException.class);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldRefuseWhatIsTooDeepOrTooLong() {
        int many = 30_000;
        String[] hostile = {
            "(".repeat(many) + "a = 1" + ")".repeat(many),
            "(".repeat(many),
            "NOT ".repeat(10_000) + "a",
            "-".repeat(many) + "1 = 1",
            "- ".repeat(many) + "a = 1",
            "1" + "+1".repeat(many) + " = 1",
            "1" + "*1".repeat(many) + " = 1",
            "a = " + "9".repeat(many),
            "a = '" + "x".repeat(100_000) + "'",
            "'".repeat(many) + "a",
        };
        for (String text : hostile) {
            assertThatThrownBy(() -> Selector.parse(text))
                    .as(text.substring(0, 10))
                    .isInstanceOf(InvalidSelectorException.class)
                    .extracting(e -> e.getMessage().length())
                    .satisfies(length -> assertThat(length).isLessThan(500_000));
        }
    }

    @Test
    void shouldTakeLongChainsAndLists() throws InvalidSelectorException {
        assertThat(Selector.parse("a = 1" + " OR a = 2".repeat(7000)).matches(null, 1))
                .isFalse();
        assertThat(Selector.parse("a IN ('x'" + ", 'yyyy'".repeat(8000) + ") OR TRUE")
                        .matches(null, 1))
                .isTrue();
        assertThat(Selector.parse("(".repeat(200) + "TRUE" + ")".repeat(200)).matches(null, 1))
                .isTrue();
    }

    @Test
    void shouldParseOrRefuseAnyRowOfTokensAndDoNothingElse() throws InvalidSelectorException {
        String[] tokens = {
            "a",
            "JMSType",
            "JMSPriority",
            "1",
            "2.5",
            "'x'",
            "TRUE",
            "NULL",
            "NOT",
            "AND",
            "OR",
            "BETWEEN",
            "LIKE",
            "IN",
            "IS",
            "ESCAPE",
            "=",
            "<>",
            "<",
            "+",
            "-",
            "*",
            "/",
            "(",
            ")",
            ",",
            "'",
            "'%_'"
        };
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(9); i >= 0; i--) {
                text.append(tokens[random.nextInt(tokens.length)]).append(' ');
            }
            try {
                Selector.parse(text.toString()).matches(null, 1);
            } catch (InvalidSelectorException e) {
                assertThat(e.position()).as("seed %d: %s", seed, text).isBetween(0, text.length());
            }
        }
    }
}
