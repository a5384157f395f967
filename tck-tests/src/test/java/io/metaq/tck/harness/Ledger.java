package io.metaq.tck.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What producers were promised, kept outside the broker, and what came back. A message is known by its producer and its
 * number, which start its body: {@code PRODUCER:NUMBER:} and anything after. Safe for use by several threads.
 */
public final class Ledger {
    private record Key(String producer, long number) {}

    private record Place(int partition, long offset) {}

    private static final int SHOWN = 12;

    private final Set<Key> attempted = new HashSet<>();
    private final Map<Key, Place> acknowledged = new HashMap<>();

    /** The body of a message: its name, filled up to a length in bytes. */
    public static byte[] body(String producer, long number, int length) {
        var text = new StringBuilder(producer).append(':').append(number).append(':');
        while (text.length() < length) {
            text.append((char) ('a' + (text.length() + number) % 26));
        }
        return text.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    public synchronized void attempted(String producer, long number) {
        attempted.add(new Key(producer, number));
    }

    /** The broker said where it stored the message. */
    public synchronized void acknowledged(String producer, long number, int partition, long offset) {
        acknowledged.put(new Key(producer, number), new Place(partition, offset));
    }

    public synchronized int acknowledgedCount() {
        return acknowledged.size();
    }

    /**
     * What is wrong with the messages that came back, given partition by partition in the order of their offsets: an empty
     * list if nothing is.
     */
    public synchronized List<String> faults(List<StoredMessage> received) {
        List<String> faults = new ArrayList<>();
        Map<Key, Place> seen = new HashMap<>();
        Map<String, Long> lastInPartition = new HashMap<>();
        for (var message : received) {
            check(message, seen, lastInPartition, faults);
        }
        acknowledged.forEach((key, place) -> {
            if (!seen.containsKey(key)) {
                faults.add("lost: %s, acknowledged at %s".formatted(key, place));
            }
        });
        return summary(faults);
    }

    /** One mistake makes thousands of faults: the first ones tell it. */
    private static List<String> summary(List<String> faults) {
        if (faults.size() <= SHOWN) {
            return faults;
        }
        List<String> first = new ArrayList<>(faults.subList(0, SHOWN));
        first.add("and %d more".formatted(faults.size() - SHOWN));
        return first;
    }

    private void check(
            StoredMessage message, Map<Key, Place> seen, Map<String, Long> lastInPartition, List<String> faults) {
        Key key = key(message);
        var place = new Place(message.partition(), message.offset());
        Place before = seen.putIfAbsent(key, place);
        if (before != null) {
            faults.add("duplicated: %s at %s and %s".formatted(key, before, place));
        }
        if (!attempted.contains(key)) {
            faults.add("invented: %s at %s".formatted(key, place));
        }
        Place promised = acknowledged.get(key);
        if (promised != null && before == null && !promised.equals(place)) {
            faults.add("misplaced: %s at %s, acknowledged at %s".formatted(key, place, promised));
        }
        Long last = lastInPartition.put(message.partition() + " " + key.producer(), key.number());
        if (last != null && last >= key.number()) {
            faults.add("out of order: %s at %s follows number %d".formatted(key, place, last));
        }
    }

    private static Key key(StoredMessage message) {
        String[] parts = message.text().split(":", 3);
        return new Key(parts[0], Long.parseLong(parts[1]));
    }
}
