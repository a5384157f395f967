package io.metaq.cli;

import io.metaq.client.Start;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Reads {@code first}, {@code last}, {@code offset:N}, {@code time:...} where a command asks from where to read. */
final class StartPoint implements CommandLine.ITypeConverter<Start> {
    static final String FORMS =
            "first, last, offset:N, or time:T with T as 2026-11-30T08:00:00Z, -15m, -2h, -1d, or milliseconds"
                    + " since 1970";

    private static final Pattern AGO = Pattern.compile("-(\\d{1,9})([smhd])");

    @Override
    public Start convert(String text) {
        try {
            if (text.equals("first")) {
                return Start.first();
            }
            if (text.equals("last")) {
                return Start.last();
            }
            if (text.startsWith("offset:")) {
                return Start.offset(Long.parseLong(text.substring("offset:".length())));
            }
            if (text.startsWith("time:")) {
                return Start.time(epochMs(text.substring("time:".length())));
            }
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new CommandLine.TypeConversionException("'" + text + "' is no place to begin; give " + FORMS);
        }
        throw new CommandLine.TypeConversionException("'" + text + "' is no place to begin; give " + FORMS);
    }

    /** Milliseconds since 1970 of a point in time in one of the {@link #FORMS}. */
    static long epochMs(String text) {
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            return Instant.now()
                    .minus(span(Long.parseLong(ago.group(1)), ago.group(2)))
                    .toEpochMilli();
        }
        return text.chars().allMatch(Character::isDigit)
                ? Long.parseLong(text)
                : OffsetDateTime.parse(text).toInstant().toEpochMilli();
    }

    private static Duration span(long amount, String unit) {
        return switch (unit) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
