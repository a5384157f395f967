package io.metaq.state.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.metaq.log.partition.MemoryBudget;
import io.metaq.log.partition.MemoryLog;
import io.metaq.log.partition.MessageLog;
import io.metaq.state.subscription.SubscriptionInfo.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CursorTest {
    private static final int BYTES = 25;

    private final MemoryLog log = new MemoryLog(new MemoryBudget(1 << 30));

    private static void append(MemoryLog log, int messages) {
        ByteBuffer bytes = ByteBuffer.allocate(messages * BYTES);
        for (int i = 0; i < messages; i++) {
            bytes.putInt(i * BYTES, BYTES - 20);
        }
        log.append(new ByteBuffer[] {bytes}, 1, messages, 1);
        log.flush();
    }

    private static Subscription subscription(MessageLog log, Start start) throws IOException {
        return Subscription.transientOf(
                new SubscriptionInfo("s", 1, Kind.TRANSIENT, null, null), new MessageLog[] {log}, start);
    }

    private Cursor cursor() throws IOException {
        return subscription(log, Start.FIRST).cursor(0);
    }

    private static long at(int message) {
        return (long) message * BYTES;
    }

    @Test
    void shouldMoveTheFloorOverWhatWasAcknowledgedOutOfOrder() throws IOException {
        append(log, 10);
        Cursor cursor = cursor();
        assertThat(cursor.acknowledge(at(2), at(4), 2)).isEqualTo(2);
        assertThat(cursor.floor()).isZero();
        assertThat(cursor.nextPending(at(2))).isEqualTo(at(4));
        assertThat(cursor.nextTaken(at(0))).isEqualTo(at(2));
        assertThat(cursor.acknowledge(at(0), at(2), 2)).isEqualTo(2);
        assertThat(cursor.floor()).isEqualTo(at(4));
        assertThat(cursor.rangeCount()).isZero();
        assertThat(cursor.depth()).isEqualTo(6);
    }

    @Test
    void shouldCountAnAcknowledgementOnce() throws IOException {
        append(log, 10);
        Cursor cursor = cursor();
        cursor.acknowledge(at(3), at(5), 2);
        assertThat(cursor.acknowledge(at(3), at(5), 2)).isZero();
        assertThat(cursor.acknowledge(at(2), at(6), 4)).isEqualTo(2);
        assertThat(cursor.acknowledge(at(0), at(6), 6)).isEqualTo(2);
        assertThat(cursor.depth()).isEqualTo(4);
    }

    @Test
    void shouldForgetAReturnedMessageOnceItIsAcknowledged() throws IOException {
        append(log, 10);
        Cursor cursor = cursor();
        cursor.returned(at(3), 0);
        cursor.returned(at(3), 700);
        cursor.returned(at(5), 0);
        assertThat(cursor.deliveries(at(3))).isEqualTo(2);
        assertThat(cursor.notBefore(at(3))).isEqualTo(700);
        assertThat(cursor.nextReturned(at(4))).isEqualTo(at(5));
        cursor.acknowledge(at(2), at(5), 3);
        assertThat(cursor.deliveries(at(3))).isZero();
        assertThat(cursor.nextReturned(0)).isEqualTo(at(5));
        cursor.returned(at(3), 0);
        assertThat(cursor.returnedCount()).isEqualTo(1);
    }

    @Test
    void shouldBeginBehindTheNewestMessageWhereAsked() throws IOException {
        append(log, 10);
        Cursor cursor = subscription(log, Start.LAST).cursor(0);
        assertThat(cursor.floor()).isEqualTo(at(10));
        assertThat(cursor.depth()).isZero();
        append(log, 2);
        assertThat(cursor.depth()).isEqualTo(2);
        assertThat(cursor.nextPending(0)).isEqualTo(at(10));
    }

    @Test
    void shouldTellOnlyWhatIsPendingForReturned() throws IOException {
        append(log, 3);
        Cursor cursor = cursor();
        cursor.acknowledge(at(0), at(1), 1);
        cursor.returned(at(0), 0);
        List<Long> offsets = new ArrayList<>();
        cursor.forEachReturned((offset, count, notBefore) -> offsets.add(offset));
        assertThat(offsets).isEmpty();
    }

    @Test
    void shouldNotLetAnyoneButTheJournalChangeAJournalledOne() throws IOException {
        Cursor journalled = new Cursor(log, true);
        assertThatIllegalStateException().isThrownBy(() -> journalled.acknowledge(0, 1, 1));
        assertThatIllegalStateException().isThrownBy(() -> journalled.returned(0, 0));
        assertThatIllegalStateException().isThrownBy(() -> journalled.moveTo(0, 0));
    }

    @Test
    void shouldNotCallMessagesRedeliveredThatCameAfterARestart() throws IOException {
        append(log, 4);
        Cursor cursor = new Cursor(log, true);
        cursor.mark(at(100));
        cursor.recovered();
        append(log, 4);
        assertThat(cursor.recoveredMark()).isEqualTo(at(4));
        assertThat(cursor.deliveredMark()).isEqualTo(at(100));
    }

    /** Acknowledges, returns, moves at random, beside a list that holds one entry for each message. */
    @Test
    void shouldAnswerAsAListOfMessagesDoes() throws IOException {
        for (long seed = 0; seed < 40; seed++) {
            compare(new Random(seed), seed);
        }
    }

    private static void compare(Random random, long seed) throws IOException {
        MemoryLog log = new MemoryLog(new MemoryBudget(1 << 30));
        Cursor cursor = subscription(log, Start.FIRST).cursor(0);
        boolean[] acknowledged = new boolean[3_000];
        Map<Long, Integer> returned = new TreeMap<>();
        int end = 0;
        for (int step = 0; step < 1_500; step++) {
            String when = "seed " + seed + " step " + step;
            int more = random.nextInt(10) == 0 && end < 2_900 ? 1 + random.nextInt(90) : 0;
            if (more > 0) {
                append(log, more);
                end += more;
            } else if (end > 0) {
                int from = random.nextInt(end);
                switch (random.nextInt(20)) {
                    case 0 -> {
                        cursor.moveTo(at(from), from);
                        for (int i = 0; i < end; i++) {
                            acknowledged[i] = i < from;
                        }
                        returned.clear();
                    }
                    case 1, 2, 3 -> {
                        cursor.returned(at(from), step);
                        if (!acknowledged[from]) {
                            returned.merge(at(from), 1, Integer::sum);
                        }
                    }
                    default -> {
                        int to = from;
                        while (to < end && to - from < 8 && !acknowledged[to]) {
                            acknowledged[to++] = true;
                            returned.remove(at(to - 1));
                        }
                        assertThat(cursor.acknowledge(at(from), at(to), to - from))
                                .as(when)
                                .isEqualTo(to - from);
                        if (to > from) {
                            assertThat(cursor.acknowledge(at(from), at(to), to - from))
                                    .as(when)
                                    .isZero();
                        }
                    }
                }
            }
            same(cursor, acknowledged, end, returned, when, random.nextInt(end + 1));
        }
    }

    private static void same(
            Cursor cursor, boolean[] acknowledged, int end, Map<Long, Integer> returned, String when, int probe) {
        int pending = 0;
        for (int i = 0; i < end; i++) {
            pending += acknowledged[i] ? 0 : 1;
        }
        assertThat(cursor.depth()).as(when).isEqualTo(pending);
        int next = probe;
        while (next < end && acknowledged[next]) {
            next++;
        }
        assertThat(cursor.nextPending(at(probe))).as(when).isEqualTo(at(next));
        if (probe < end) {
            assertThat(cursor.isAcknowledged(at(probe))).as(when).isEqualTo(acknowledged[probe]);
        }
        Map<Long, Integer> counts = new TreeMap<>();
        cursor.forEachReturned((offset, count, notBefore) -> counts.put(offset, count));
        assertThat(counts).as(when).isEqualTo(returned);
    }

    @Test
    void shouldComeBackFromItsBytes() throws IOException {
        append(log, 2_000);
        Cursor cursor = cursor();
        Random random = new Random(11);
        for (int i = 0; i < 1_500; i++) {
            int message = random.nextInt(2_000);
            if (random.nextInt(4) == 0) {
                cursor.returned(at(message), random.nextInt(3) * 1_000_000_000_000L);
            } else {
                cursor.acknowledge(at(message), at(message + 1), 1);
            }
        }
        cursor.mark(at(1_900));
        byte[] bytes = bytes(cursor);
        Cursor read = new Cursor(log, true);
        CursorFormat.read(new DataInputStream(new ByteArrayInputStream(bytes)), read);
        assertThat(bytes(read)).isEqualTo(bytes);
        assertThat(read.depth()).isEqualTo(cursor.depth());
        for (int i = 0; i < 2_000; i++) {
            assertThat(read.isAcknowledged(at(i))).isEqualTo(cursor.isAcknowledged(at(i)));
            assertThat(read.deliveries(at(i))).isEqualTo(cursor.deliveries(at(i)));
            assertThat(read.notBefore(at(i))).isEqualTo(cursor.notBefore(at(i)));
        }
    }

    /** Every second message of ten million acknowledged: the checkpoint is small, and read by one pass. */
    @Test
    void shouldFitIntoACheckpointWithMillionsOfRanges() throws IOException {
        Cursor cursor = new Cursor(log, true);
        int messages = 10_000_000;
        for (long i = 1; i < messages; i += 2) {
            cursor.acknowledged(i * 1_044, (i + 1) * 1_044, 1, Long.MAX_VALUE);
        }
        byte[] bytes = bytes(cursor);
        assertThat(bytes.length).isLessThan(messages / 2 * 5);
        Cursor read = new Cursor(log, true);
        CursorFormat.read(new DataInputStream(new ByteArrayInputStream(bytes)), read);
        assertThat(read.rangeCount()).isEqualTo(messages / 2);
        assertThat(read.nextPending(1_044)).isEqualTo(2 * 1_044);
    }

    private static byte[] bytes(Cursor cursor) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CursorFormat.write(new DataOutputStream(bytes), cursor);
        return bytes.toByteArray();
    }
}
