package io.metaq.benchmarks.driver;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Checks what arrived against what was sent. */
final class Arrivals implements MessageSink {

    private static final class FromOneProducer {
        private final BitSet seen = new BitSet();
        private int last = -1;
    }

    private final List<FromOneProducer> producers = new ArrayList<>();
    private long distinct;
    private long duplicated;
    private long disordered;
    private long firstNanos;
    private long lastNanos;

    @Override
    public synchronized void accept(ByteBuffer body) {
        FromOneProducer from = producer(Body.producer(body));
        int sequence = (int) Body.sequence(body);
        long now = System.nanoTime();
        if (firstNanos == 0) {
            firstNanos = now;
        }
        lastNanos = now;
        if (from.seen.get(sequence)) {
            duplicated++;
            return;
        }
        from.seen.set(sequence);
        if (sequence < from.last) {
            disordered++;
        } else {
            from.last = sequence;
        }
        distinct++;
    }

    private FromOneProducer producer(int number) {
        while (producers.size() <= number) {
            producers.add(new FromOneProducer());
        }
        return producers.get(number);
    }

    /** Messages received, each counted once. */
    synchronized long distinct() {
        return distinct;
    }

    synchronized long duplicated() {
        return duplicated;
    }

    /** Messages that came after one that their producer sent later. */
    synchronized long disordered() {
        return disordered;
    }

    synchronized long firstNanos() {
        return firstNanos;
    }

    synchronized long lastNanos() {
        return lastNanos;
    }
}
