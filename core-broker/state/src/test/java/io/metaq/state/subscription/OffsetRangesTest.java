package io.metaq.state.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OffsetRangesTest {
    private static final int SPACE = 6_000;

    private final OffsetRanges ranges = new OffsetRanges();

    private static List<String> listed(OffsetRanges ranges) {
        List<String> all = new ArrayList<>();
        ranges.forEach((from, to) -> all.add(from + "-" + to));
        return all;
    }

    @Test
    void shouldJoinRangesThatMeet() {
        assertThat(ranges.add(10, 20)).isEqualTo(10);
        assertThat(ranges.add(30, 40)).isEqualTo(10);
        assertThat(ranges.add(20, 30)).isEqualTo(10);
        assertThat(listed(ranges)).containsExactly("10-40");
        assertThat(ranges.size()).isEqualTo(1);
    }

    @Test
    void shouldAddOnlyWhatIsNotCovered() {
        ranges.add(10, 20);
        ranges.add(30, 40);
        assertThat(ranges.add(0, 100)).isEqualTo(80);
        assertThat(ranges.add(15, 35)).isZero();
        assertThat(listed(ranges)).containsExactly("0-100");
    }

    @Test
    void shouldKeepRangesLongerThanAnInt() {
        long far = 5L << 40;
        ranges.add(far, far + 10);
        assertThat(ranges.add(7, far)).isEqualTo(far - 7);
        assertThat(ranges.endAt(7)).isPositive();
        long at = 7;
        for (long end = ranges.endAt(at); end != OffsetRanges.NONE; end = ranges.endAt(at)) {
            at = end;
        }
        assertThat(at).isEqualTo(far + 10);
        ranges.removeBefore(far + 5);
        assertThat(ranges.endAt(far + 4)).isEqualTo(OffsetRanges.NONE);
        assertThat(ranges.endAt(far + 5)).isEqualTo(far + 10);
        ranges.removeBefore(far + 10);
        assertThat(ranges.isEmpty()).isTrue();
    }

    @Test
    void shouldAnswerAsASetOfOffsetsDoes() {
        for (long seed = 0; seed < 60; seed++) {
            compare(seed);
        }
    }

    private static void compare(long seed) {
        Random random = new Random(seed);
        OffsetRanges ranges = new OffsetRanges();
        BitSet model = new BitSet(SPACE);
        int longest = 1 + random.nextInt(seed % 2 == 0 ? 3 : 40);
        long base = seed % 3 == 0 ? 0 : (1L << 31) - 20 + seed;
        for (int step = 0; step < 4_000; step++) {
            int from = random.nextInt(SPACE - longest);
            int to = from + 1 + random.nextInt(longest);
            int before = model.cardinality();
            model.set(from, to);
            assertThat(ranges.add(base + from, base + to))
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(model.cardinality() - before);
            if (random.nextInt(500) == 0) {
                int floor = random.nextInt(SPACE / 2);
                model.clear(0, floor);
                ranges.removeBefore(base + floor);
            }
            if (step % 37 == 0) {
                int at = random.nextInt(SPACE);
                long end = ranges.endAt(base + at);
                assertThat(end)
                        .as("seed %d step %d end at %d", seed, step, at)
                        .isEqualTo(model.get(at) ? base + model.nextClearBit(at) : OffsetRanges.NONE);
            }
        }
        assertThat(listed(ranges)).as("seed %d", seed).isEqualTo(listed(model, base));
        assertThat(ranges.size())
                .as("seed %d", seed)
                .isEqualTo(listed(model, base).size());
    }

    private static List<String> listed(BitSet model, long base) {
        List<String> all = new ArrayList<>();
        for (int from = model.nextSetBit(0); from >= 0; ) {
            int to = model.nextClearBit(from);
            all.add((base + from) + "-" + (base + to));
            from = model.nextSetBit(to);
        }
        return all;
    }

    @Test
    void shouldHoldMillionsInEightBytesEachAndLetThemGoOneByOne() {
        int messages = 2_000_000;
        int bytes = 1_024;
        for (long i = 1; i < messages; i += 2) {
            ranges.add(i * bytes, (i + 1) * bytes);
        }
        assertThat(ranges.size()).isEqualTo(messages / 2);
        assertThat(ranges.memoryBytes()).isLessThan(messages / 2 * 10L);
        // The gaps close from the end: at any time a block holds few ranges, or is gone.
        for (long i = messages - 2; i >= 2; i -= 2) {
            ranges.add(i * bytes, (i + 1) * bytes);
        }
        assertThat(listed(ranges)).containsExactly(bytes + "-" + (long) messages * bytes);
        assertThat(ranges.memoryBytes()).isLessThan(10_000);
    }

    @Test
    void shouldNotKeepRoomForRangesThatWereJoinedInAnyOrder() {
        Random random = new Random(5);
        List<Long> gaps = new ArrayList<>();
        for (long i = 0; i < 200_000; i++) {
            ranges.add(i * 20, i * 20 + 10);
            gaps.add(i * 20 + 10);
        }
        java.util.Collections.shuffle(gaps, random);
        gaps.subList(0, 190_000).forEach(gap -> ranges.add(gap, gap + 10));
        assertThat(ranges.size()).isLessThanOrEqualTo(10_001);
        assertThat(ranges.memoryBytes()).isLessThan(10_001 * 40L);
    }
}
