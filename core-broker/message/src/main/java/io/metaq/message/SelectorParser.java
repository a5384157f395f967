package io.metaq.message;

import io.metaq.message.Expression.Kind;
import io.metaq.message.SelectorToken.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Descends the grammar, loosest binding first:
 *
 * <pre>
 * or      = and { OR and }
 * and     = not { AND not }
 * not     = NOT not | test
 * test    = sum [ compare sum | [NOT] BETWEEN sum AND sum | [NOT] IN (…) | [NOT] LIKE … [ESCAPE …] | IS [NOT] NULL ]
 * sum     = product { (+|-) product }
 * product = unary { (*|/) unary }
 * unary   = (+|-) unary | number | string | TRUE | FALSE | identifier | ( or )
 * </pre>
 *
 * What can be seen to be of the wrong kind without a message, such as {@code 'a' > 1}, is refused.
 */
final class SelectorParser {
    /** Deeper ones are refused before they could exhaust a thread's stack, here or at evaluation. */
    private static final int MAX_DEPTH = 250;

    private final String text;
    private final SelectorLexer lexer;
    private SelectorToken token;
    private int nesting;

    SelectorParser(String text) throws InvalidSelectorException {
        this.text = text;
        this.lexer = new SelectorLexer(text);
        this.token = lexer.next();
    }

    Expression parse() throws InvalidSelectorException {
        Expression condition = or();
        if (token.type() != Type.END) {
            throw unexpected("an operator or the end");
        }
        return require(Kind.BOOLEAN, condition, 0);
    }

    private Expression or() throws InvalidSelectorException {
        return chain("OR");
    }

    private Expression chain(String word) throws InvalidSelectorException {
        boolean isOr = word.equals("OR");
        int start = token.position();
        Expression first = isOr ? chain("AND") : not();
        if (!token.is(Type.WORD, word)) {
            return first;
        }
        List<Expression> operands = new ArrayList<>();
        operands.add(require(Kind.BOOLEAN, first, start));
        while (takeWord(word)) {
            int at = token.position();
            operands.add(require(Kind.BOOLEAN, isOr ? chain("AND") : not(), at));
        }
        return bounded(new Logic(isOr, operands), start);
    }

    private Expression not() throws InvalidSelectorException {
        if (!token.is(Type.WORD, "NOT")) {
            return test();
        }
        advance();
        int at = token.position();
        descend();
        Expression operand = require(Kind.BOOLEAN, not(), at);
        nesting--;
        return bounded(new Logic.Not(operand), at);
    }

    private Expression test() throws InvalidSelectorException {
        int start = token.position();
        Expression left = sum();
        Comparison.Operator operator = token.type() == Type.SIGN ? Comparison.Operator.of(token.text()) : null;
        if (operator != null) {
            advance();
            return comparison(operator, left, start);
        }
        if (takeWord("IS")) {
            boolean not = takeWord("NOT");
            expect(Type.WORD, "NULL");
            return new Predicates.IsNull(identifier(left, start), not);
        }
        boolean not = takeWord("NOT");
        if (takeWord("BETWEEN")) {
            return between(left, start, not);
        } else if (takeWord("IN")) {
            return new Predicates.In(stringIdentifier(left, start), texts(), not);
        } else if (takeWord("LIKE")) {
            return new Predicates.Like(stringIdentifier(left, start), pattern(), not);
        } else if (not) {
            throw unexpected("BETWEEN, IN or LIKE");
        }
        return left;
    }

    private Expression comparison(Comparison.Operator operator, Expression left, int start)
            throws InvalidSelectorException {
        int at = token.position();
        Expression right = sum();
        if (operator.isOrder()) {
            require(Kind.NUMBER, left, start);
            require(Kind.NUMBER, right, at);
        }
        return bounded(Comparison.of(operator, left, right), start);
    }

    private Expression between(Expression operand, int start, boolean not) throws InvalidSelectorException {
        require(Kind.NUMBER, operand, start);
        int lowAt = token.position();
        Expression low = require(Kind.NUMBER, sum(), lowAt);
        expect(Type.WORD, "AND");
        int highAt = token.position();
        Expression high = require(Kind.NUMBER, sum(), highAt);
        return bounded(new Predicates.Between(operand, low, high, not), start);
    }

    private Set<String> texts() throws InvalidSelectorException {
        expect(Type.SIGN, "(");
        Set<String> texts = new HashSet<>();
        do {
            texts.add(string("a string"));
        } while (takeSign(","));
        expect(Type.SIGN, ")");
        return Set.copyOf(texts);
    }

    private LikePattern pattern() throws InvalidSelectorException {
        int at = token.position();
        String pattern = string("a pattern");
        int escape = -1;
        if (takeWord("ESCAPE")) {
            int escapeAt = token.position();
            String character = string("an escape character");
            if (character.isEmpty() || character.codePointCount(0, character.length()) != 1) {
                throw new InvalidSelectorException(text, escapeAt, "an escape that is not one character");
            }
            escape = character.codePointAt(0);
        }
        LikePattern parsed = LikePattern.parse(pattern, escape);
        if (parsed == null) {
            throw new InvalidSelectorException(text, at, "a pattern that ends with its escape character");
        }
        return parsed;
    }

    private Expression sum() throws InvalidSelectorException {
        int start = token.position();
        Expression left = product();
        while (token.is(Type.SIGN, "+") || token.is(Type.SIGN, "-")) {
            char operator = advance().text().charAt(0);
            int at = token.position();
            left = arithmetic(operator, left, start, product(), at);
        }
        return left;
    }

    private Expression product() throws InvalidSelectorException {
        int start = token.position();
        Expression left = unary();
        while (token.is(Type.SIGN, "*") || token.is(Type.SIGN, "/")) {
            char operator = advance().text().charAt(0);
            int at = token.position();
            left = arithmetic(operator, left, start, unary(), at);
        }
        return left;
    }

    private Expression arithmetic(char operator, Expression left, int leftAt, Expression right, int rightAt)
            throws InvalidSelectorException {
        require(Kind.NUMBER, left, leftAt);
        require(Kind.NUMBER, right, rightAt);
        return bounded(new Arithmetic(operator, left, right), leftAt);
    }

    private Expression unary() throws InvalidSelectorException {
        if (!token.is(Type.SIGN, "+") && !token.is(Type.SIGN, "-")) {
            return primary();
        }
        boolean minus = advance().text().equals("-");
        if (token.type() == Type.NUMBER) {
            return number(minus);
        }
        int at = token.position();
        descend();
        Expression operand = require(Kind.NUMBER, unary(), at);
        nesting--;
        return bounded(minus ? new Arithmetic.Negation(operand) : new Arithmetic.Plus(operand), at);
    }

    private Expression primary() throws InvalidSelectorException {
        if (token.type() == Type.NUMBER) {
            return number(false);
        } else if (token.type() == Type.STRING) {
            return Literal.string(advance().text());
        } else if (takeWord("TRUE")) {
            return Literal.TRUE;
        } else if (takeWord("FALSE")) {
            return Literal.FALSE;
        } else if (takeSign("(")) {
            descend();
            Expression inner = or();
            nesting--;
            expect(Type.SIGN, ")");
            return inner;
        } else if (token.type() != Type.IDENTIFIER) {
            throw unexpected("a value");
        }
        SelectorToken name = advance();
        Identifier identifier = Identifier.of(name.text());
        if (identifier == null) {
            throw new InvalidSelectorException(
                    text, name.position(), "the header " + name + " cannot be selected by, found");
        }
        return identifier;
    }

    private Expression number(boolean negative) throws InvalidSelectorException {
        Number value = NumberLiteral.parse(token.text(), negative);
        if (value == null) {
            throw new InvalidSelectorException(text, token.position(), token + " is no number, or out of range,");
        }
        advance();
        return Literal.number(value);
    }

    private String string(String what) throws InvalidSelectorException {
        if (token.type() != Type.STRING) {
            throw unexpected(what);
        }
        return advance().text();
    }

    private Identifier stringIdentifier(Expression operand, int at) throws InvalidSelectorException {
        return identifier(require(Kind.STRING, operand, at), at);
    }

    private Identifier identifier(Expression operand, int at) throws InvalidSelectorException {
        if (operand instanceof Identifier identifier) {
            return identifier;
        }
        throw new InvalidSelectorException(text, at, "not the name of a property");
    }

    private <E extends Expression> E require(Kind kind, E operand, int at) throws InvalidSelectorException {
        if (!operand.kind().canBe(kind)) {
            throw new InvalidSelectorException(text, at, "a " + operand.kind() + " where a " + kind + " must stand");
        }
        return operand;
    }

    private void descend() throws InvalidSelectorException {
        if (++nesting > MAX_DEPTH) {
            throw new InvalidSelectorException(text, token.position(), "nested too deeply");
        }
    }

    private Expression bounded(Expression made, int at) throws InvalidSelectorException {
        if (made.depth() > MAX_DEPTH) {
            throw new InvalidSelectorException(text, at, "too many operations in one expression");
        }
        return made;
    }

    private SelectorToken advance() throws InvalidSelectorException {
        SelectorToken taken = token;
        token = lexer.next();
        return taken;
    }

    private boolean takeWord(String word) throws InvalidSelectorException {
        return take(Type.WORD, word) != null;
    }

    private boolean takeSign(String sign) throws InvalidSelectorException {
        return take(Type.SIGN, sign) != null;
    }

    private void expect(Type type, String expected) throws InvalidSelectorException {
        if (take(type, expected) == null) {
            throw unexpected(expected);
        }
    }

    private @Nullable SelectorToken take(Type type, String expected) throws InvalidSelectorException {
        return token.is(type, expected) ? advance() : null;
    }

    private InvalidSelectorException unexpected(String expected) {
        return new InvalidSelectorException(text, token.position(), "expected " + expected + ", found " + token);
    }
}
