package io.metaq.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Byte ranges over whole messages: which messages of which partitions. Written {@code P:FROM-TO[,P:FROM-TO…]}, the end not included.
 * Immutable; kept as numbers in an array, since acknowledgements come by the hundred thousand.
 */
public final class Ranges {
    private static final Ranges NONE = new Ranges(new long[0], 0);
    private static final int WIDTH = 3;

    private final long[] numbers;
    private final int size;

    private Ranges(long[] numbers, int size) {
        this.numbers = numbers;
        this.size = size;
    }

    /** Told each range. */
    @FunctionalInterface
    public interface Visitor {
        void range(int partition, long from, long to);
    }

    public static Ranges none() {
        return NONE;
    }

    /** @throws IllegalArgumentException unless 0 ≤ from &lt; to and 0 ≤ partition */
    public static Ranges of(int partition, long from, long to) {
        return builder().add(partition, from, to).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** @throws ProtocolException if the text is something else */
    public static Ranges parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return parse(bytes, 0, bytes.length);
    }

    /**
     * Reads {@code line[from, to)}.
     *
     * @throws ProtocolException if it is no list of ranges, or a range is empty or turned round
     */
    public static Ranges parse(byte[] line, int from, int to) {
        return new RangesReader(line, from, to).read();
    }

    /** How many ranges. */
    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int partition(int index) {
        return (int) numbers[index * WIDTH];
    }

    /** Where the first message of the range begins. */
    public long from(int index) {
        return numbers[index * WIDTH + 1];
    }

    /** Where the last message of the range ends. */
    public long to(int index) {
        return numbers[index * WIDTH + 2];
    }

    public void forEach(Visitor visitor) {
        for (int i = 0; i < size; i++) {
            visitor.range(partition(i), from(i), to(i));
        }
    }

    /** The ranges {@code [first, end)} of these, for what has to be sent in parts. */
    public Ranges slice(int first, int end) {
        return first == 0 && end == size
                ? this
                : new Ranges(Arrays.copyOfRange(numbers, first * WIDTH, end * WIDTH), end - first);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ranges ranges
                && Arrays.equals(numbers, 0, size * WIDTH, ranges.numbers, 0, ranges.size * WIDTH);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = 0; i < size * WIDTH; i++) {
            hash = 31 * hash + Long.hashCode(numbers[i]);
        }
        return hash;
    }

    /** As on the wire. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        forEach((partition, from, to) -> {
            text.append(text.isEmpty() ? "" : ",").append(partition);
            text.append(':').append(from).append('-').append(to);
        });
        return text.toString();
    }

    /** Collects ranges. What joins on to the range added before it becomes one with it. Not safe for use by several threads. */
    public static final class Builder {
        private long[] numbers = new long[WIDTH];
        private int size;

        private Builder() {}

        /** @throws IllegalArgumentException unless 0 ≤ from &lt; to and 0 ≤ partition */
        public Builder add(int partition, long from, long to) {
            if (partition < 0 || from < 0 || to <= from) {
                throw new IllegalArgumentException("not a range: " + partition + ":" + from + "-" + to);
            }
            int last = (size - 1) * WIDTH;
            if (size > 0 && numbers[last] == partition && numbers[last + 2] == from) {
                numbers[last + 2] = to;
                return this;
            }
            if (numbers.length == size * WIDTH) {
                numbers = Arrays.copyOf(numbers, numbers.length * 2);
            }
            int at = size++ * WIDTH;
            numbers[at] = partition;
            numbers[at + 1] = from;
            numbers[at + 2] = to;
            return this;
        }

        public Builder addAll(Ranges ranges) {
            ranges.forEach(this::add);
            return this;
        }

        public boolean isEmpty() {
            return size == 0;
        }

        /** How many ranges there are by now. */
        public int size() {
            return size;
        }

        /** What was added so far; the builder may go on. */
        public Ranges build() {
            return size == 0 ? NONE : new Ranges(Arrays.copyOf(numbers, size * WIDTH), size);
        }
    }
}
