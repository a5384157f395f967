package io.metaq.jms.message;

import java.io.ObjectInputFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a received ObjectMessage may be made of. Making an object of bytes runs code of its class, so bytes from a broker
 * must not choose the class. Patterns: {@code com.acme.Order} a class and those nested in it, {@code com.acme.*} a package,
 * {@code com.acme.**} a package with all below it, {@code *} everything. Values and collections of the JDK are always allowed.
 */
public final class AllowedClasses {
    private static final String JDK = "java.lang.*,java.math.*,java.time.**,java.util.*,java.util.concurrent.**,"
            + "java.net.URI,sun.util.calendar.ZoneInfo";

    /** The values and collections of the JDK only. */
    public static final AllowedClasses DEFAULT = parse("");

    static final AllowedClasses ALL = parse("*");

    private final List<Pattern> patterns;

    private AllowedClasses(List<Pattern> patterns) {
        this.patterns = patterns;
    }

    /**
     * @param text patterns, separated by commas; may be empty
     * @throws IllegalArgumentException if one of them is no pattern
     */
    public static AllowedClasses parse(String text) {
        List<Pattern> patterns = new ArrayList<>();
        for (String part : (JDK + "," + text).split(",", -1)) {
            if (!part.isBlank()) {
                patterns.add(pattern(part.trim()));
            }
        }
        return new AllowedClasses(List.copyOf(patterns));
    }

    private static Pattern pattern(String text) {
        if (text.equals("*") || text.equals("**")) {
            return Pattern.compile(".*");
        }
        String name = text.endsWith(".**") ? cut(text, 3) : text.endsWith(".*") ? cut(text, 2) : text;
        if (!name.matches("[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}]*"
                + "(\\.[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}]*)*")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no pattern of classes: expected com.acme.Order, com.acme.*, com.acme.** or *");
        }
        String quoted = Pattern.quote(name);
        if (text.endsWith(".**")) {
            return Pattern.compile(quoted + "\\..*");
        }
        return Pattern.compile(text.endsWith(".*") ? quoted + "\\.[^.]*" : quoted + "(\\$.*)?");
    }

    private static String cut(String text, int count) {
        return text.substring(0, text.length() - count);
    }

    boolean allows(String className) {
        return patterns.stream().anyMatch(p -> p.matcher(className).matches());
    }

    Filter filter() {
        return new Filter(this);
    }

    /** The filter of one object's making, which remembers what it refused. */
    static final class Filter implements ObjectInputFilter {
        private final AllowedClasses allowed;
        private @Nullable String refused;

        private Filter(AllowedClasses allowed) {
            this.allowed = allowed;
        }

        @Nullable
        String refused() {
            return refused;
        }

        @Override
        public Status checkInput(FilterInfo info) {
            Class<?> type = info.serialClass();
            while (type != null && type.isArray()) {
                type = type.getComponentType();
            }
            if (type == null) {
                return Status.UNDECIDED;
            }
            if (type.isPrimitive() || allowed.allows(type.getName())) {
                return Status.ALLOWED;
            }
            refused = type.getName();
            return Status.REJECTED;
        }
    }
}
