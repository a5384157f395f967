package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Remembers what was applied. */
final class RecordingState implements StateMachine {

    final List<String> records = new ArrayList<>();
    final List<Long> positions = new ArrayList<>();
    int batches;
    private long lastEnd;
    int liveBodiesMissing;

    @Override
    public synchronized void apply(
            long position, int epoch, byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal) {
        byte[] bytes = new byte[body == null ? 0 : body.remaining()];
        if (body == null) {
            liveBodiesMissing++;
        } else {
            body.get(bytes);
        }
        records.add(type + ":" + new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
        positions.add(position);
    }

    @Override
    public synchronized void endOfBatch(long position) {
        batches++;
        lastEnd = position;
    }

    synchronized long lastEnd() {
        return lastEnd;
    }
}
