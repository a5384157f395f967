package io.metaq.broker.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What becomes of messages that are old: {@code delete,168}, {@code archive,90m}, {@code archive,24h,true}.
 *
 * @param action whether files are removed or kept beside the log
 * @param age of the last message of a file, from which it is handled
 * @param compress whether an archived file is zipped
 */
public record DeletePolicy(Action action, Duration age, boolean compress) {

    /** What is done with a file whose messages are old enough. */
    public enum Action {
        DELETE,
        ARCHIVE
    }

    static final String EXPECTS = "delete,AGE or archive,AGE[,true] with AGE as 30s, 90m or 168h, such as delete,168h";

    private static final Pattern FORM =
            Pattern.compile("(delete|archive)\\s*,\\s*(\\d{1,9})([smh]?)\\s*(?:,\\s*(true|false))?");

    /** @throws IllegalArgumentException if the text is no policy */
    public static DeletePolicy parse(String text) {
        Matcher form = FORM.matcher(text.trim());
        if (!form.matches()) {
            throw new IllegalArgumentException("is not a delete policy");
        }
        boolean archive = form.group(1).equals("archive");
        if (!archive && form.group(4) != null) {
            throw new IllegalArgumentException("says whether to compress, which only archive can");
        }
        return new DeletePolicy(
                archive ? Action.ARCHIVE : Action.DELETE,
                age(Long.parseLong(form.group(2)), form.group(3)),
                "true".equals(form.group(4)));
    }

    private static Duration age(long amount, String unit) {
        return switch (unit) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return (action == Action.DELETE ? "delete," : "archive,") + ageText() + (compress ? ",true" : "");
    }

    private String ageText() {
        if (age.toSecondsPart() != 0) {
            return age.toSeconds() + "s";
        }
        return age.toMinutesPart() != 0 ? age.toMinutes() + "m" : age.toHours() + "h";
    }
}
