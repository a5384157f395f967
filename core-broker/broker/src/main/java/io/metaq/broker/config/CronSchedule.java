package io.metaq.broker.config;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.ZonedDateTime;
import java.util.Optional;

/** Points in time given by a Quartz cron expression: second, minute, hour, day of month, month, day of week, [year]. */
public final class CronSchedule {
    static final String EXPECTS = "a Quartz cron expression such as 0 0 6,18 * * ?";

    private static final CronParser PARSER =
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));

    private final String text;
    private final ExecutionTime times;

    private CronSchedule(String text, ExecutionTime times) {
        this.text = text;
        this.times = times;
    }

    /** @throws IllegalArgumentException if the text is no Quartz cron expression */
    public static CronSchedule parse(String text) {
        try {
            return new CronSchedule(
                    text.trim(), ExecutionTime.forCron(PARSER.parse(text.trim()).validate()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not a cron expression (" + e.getMessage() + ")", e);
        }
    }

    /** The first point in time after the given one, in its time zone; empty if there is none any more. */
    public Optional<ZonedDateTime> next(ZonedDateTime after) {
        return times.nextExecution(after);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronSchedule that && that.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The expression as it was written. */
    @Override
    public String toString() {
        return text;
    }
}
