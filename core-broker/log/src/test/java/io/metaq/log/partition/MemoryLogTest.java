package io.metaq.log.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryLogTest {

    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final MemoryLog log = new MemoryLog(budget);

    private static long append(MemoryLog log, long id, String text, long timestampMs) {
        return log.append(new ByteBuffer[] {Messages.message(id, text)}, 1, 1, timestampMs);
    }

    private static List<String> texts(MemoryLog log) throws Exception {
        ByteBuffer all = ByteBuffer.allocate((int) (log.endOffset() - log.startOffset()));
        while (all.hasRemaining()) {
            LogSlice slice = log.slice(log.startOffset() + all.position(), all.remaining());
            assertThat(slice.inMemory()).isTrue();
            ByteBuffer part = ByteBuffer.allocate(slice.length());
            assertThat(slice.read(part, 0)).isEqualTo(slice.length());
            assertThat(slice.read(part.clear(), slice.length())).isEqualTo(-1);
            all.put(part.clear());
            slice.release();
        }
        return Messages.texts(all.array());
    }

    @Test
    void shouldShowWhatIsFlushed() throws Exception {
        append(log, 1, "one", 5);
        append(log, 2, "two", 6);
        assertThat(log.endOffset()).isZero();
        assertThat(log.slice(0, 100)).isNull();
        assertThat(log.stagedMessages()).isEqualTo(2);
        log.flush();
        assertThat(texts(log)).containsExactly("one", "two");
        assertThat(log.end()).isEqualTo(new MessageLog.End(46, 2));
        assertThat(log.lastAppendMs()).isEqualTo(6);
    }

    @Test
    void shouldTakeOneMessageInTwoParts() throws Exception {
        ByteBuffer whole = Messages.message(1, "in parts");
        ByteBuffer[] parts = {whole.duplicate().limit(20), whole.duplicate().position(20)};
        log.append(parts, 2, 1, 5);
        log.flush();
        assertThat(texts(log)).containsExactly("in parts");
    }

    @Test
    void shouldTakeAMessageLongerThanItsSegments() throws Exception {
        String longText = "x".repeat(600_000);
        append(log, 1, "short", 5);
        append(log, 2, longText, 5);
        append(log, 3, "short", 5);
        log.flush();
        assertThat(texts(log)).containsExactly("short", longText, "short");
    }

    @Test
    void shouldCountAndTrimLikeALogOfFiles() throws Exception {
        Random random = new Random(4);
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            offsets.add(append(log, i, "m".repeat(random.nextInt(60)), i));
        }
        log.flush();
        for (int i = 0; i < 3_000; i += 97) {
            assertThat(log.messagesBefore(offsets.get(i))).isEqualTo(i);
        }
        long held = budget.used();
        long start = log.trimBefore(offsets.get(2_500), Disposal.DELETE);
        assertThat(start).isPositive().isLessThanOrEqualTo(offsets.get(2_500)).isEqualTo(log.startOffset());
        assertThat(log.segmentStart(start)).isEqualTo(start);
        assertThat(budget.used()).isLessThan(held);
        assertThat(log.messageCount()).isEqualTo(3_000 - log.messagesBefore(start));
        assertThat(log.messagesBefore(offsets.get(2_700))).isEqualTo(2_700);
        assertThat(log.slice(0, 10)).isNull();
        assertThat(log.offsetForTime(2_900)).isLessThanOrEqualTo(offsets.get(2_900));
        log.trimBefore(log.endOffset(), Disposal.DELETE);
        assertThat(budget.used()).isZero();
        assertThat(log.messageCount()).isZero();
        assertThat(log.appendedMessages()).isEqualTo(3_000);
    }

    @Test
    void shouldKeepASliceReadableAfterTheTrim() throws Exception {
        append(log, 1, "kept", 5);
        log.flush();
        LogSlice slice = log.slice(0, 100);
        log.close();
        assertThat(budget.used()).isZero();
        ByteBuffer bytes = ByteBuffer.allocate(slice.length());
        slice.read(bytes, 0);
        assertThat(Messages.texts(bytes.array())).containsExactly("kept");
        assertThatIllegalStateException().isThrownBy(slice::channel);
        slice.release();
    }

    @Test
    void shouldTakeLittleForOneShortMessage() {
        append(log, 1, "short", 5);
        assertThat(budget.used()).isLessThanOrEqualTo(1_024);
        assertThat(budget.exhausted()).isFalse();
    }
}
