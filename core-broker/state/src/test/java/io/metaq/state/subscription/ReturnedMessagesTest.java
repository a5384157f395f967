package io.metaq.state.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReturnedMessagesTest {
    @Test
    void shouldAnswerAsASortedMapDoes() {
        for (long seed = 0; seed < 30; seed++) {
            compare(seed);
        }
    }

    private static void compare(long seed) {
        Random random = new Random(seed);
        ReturnedMessages returned = new ReturnedMessages();
        TreeMap<Long, Integer> model = new TreeMap<>();
        for (int step = 0; step < 6_000; step++) {
            long at = random.nextInt(20_000);
            if (random.nextInt(8) == 0) {
                long to = at + random.nextInt(200);
                returned.remove(at, to);
                model.subMap(at, to).clear();
            } else {
                int count = 1 + random.nextInt(9);
                returned.put(at, count, count * 10L);
                model.put(at, count);
            }
            long probe = random.nextInt(20_000);
            Long next = model.ceilingKey(probe);
            assertThat(returned.size()).as("seed %d step %d", seed, step).isEqualTo(model.size());
            assertThat(returned.next(probe))
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(next == null ? Long.MAX_VALUE : next);
            assertThat(returned.count(probe)).isEqualTo(model.getOrDefault(probe, 0));
            assertThat(returned.notBefore(probe)).isEqualTo(model.getOrDefault(probe, 0) * 10L);
        }
        List<Long> offsets = new ArrayList<>();
        returned.forEach((offset, count, notBefore) -> offsets.add(offset));
        assertThat(offsets).as("seed %d", seed).containsExactlyElementsOf(model.keySet());
    }
}
