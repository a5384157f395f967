package io.metaq.jms.session;

import io.metaq.jms.consumer.Intake;
import io.metaq.protocol.Ranges;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Messages by where they came from: what goes to the broker about them goes per consumer.
 *
 * @param ranges where they lie, in the order in which they were shown
 * @param counts how many they are
 */
record Unsettled(Map<Intake, Ranges> ranges, Map<Intake, Integer> counts) {

    static Unsettled of(Collection<Shown> messages) {
        Map<Intake, Ranges.Builder> builders = new LinkedHashMap<>();
        Map<Intake, Integer> counts = new HashMap<>();
        for (Shown shown : messages) {
            builders.computeIfAbsent(shown.intake, intake -> Ranges.builder())
                    .add(shown.partition, shown.offset, shown.endOffset);
            counts.merge(shown.intake, 1, Integer::sum);
        }
        Map<Intake, Ranges> ranges = new LinkedHashMap<>();
        builders.forEach((intake, builder) -> ranges.put(intake, builder.build()));
        return new Unsettled(ranges, counts);
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    Ranges of(Intake intake) {
        return ranges.getOrDefault(intake, Ranges.none());
    }

    /** The consumers need not wait for these any more. */
    void settled() {
        counts.forEach(Intake::settled);
    }
}
