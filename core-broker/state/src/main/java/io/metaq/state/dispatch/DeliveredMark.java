package io.metaq.state.dispatch;

/**
 * How far a partition may be delivered: after a crash what lies before the mark counts as delivered once. It is moved
 * ahead in strides, early enough that delivery does not wait for the journal.
 */
final class DeliveredMark {
    static final long STRIDE_BYTES = 1 << 20;

    private static final long RETRY_MS = 200;
    private static final long NOWHERE = -1;

    private final int partition;
    private final Effects effects;
    private final Runnable moved;
    private final boolean kept;
    private long applied;
    private long proposed;
    private long settleAt = NOWHERE;
    private boolean underWay;

    /** @param kept false where nothing survives a restart anyway */
    DeliveredMark(int partition, boolean kept, long applied, Effects effects, Runnable moved) {
        this.partition = partition;
        this.kept = kept;
        this.effects = effects;
        this.moved = moved;
        this.applied = applied;
        this.proposed = applied;
    }

    /** Up to which offset messages may be delivered now. */
    long limit() {
        return kept ? applied : Long.MAX_VALUE;
    }

    /** Delivery has come to {@code offset}, and the message there ends at {@code end}: moves ahead where it is time. */
    void reached(long offset, long end) {
        settleAt = NOWHERE;
        if (kept && !underWay && Math.max(end, offset + STRIDE_BYTES / 2) > proposed) {
            propose(Math.max(end, offset) + STRIDE_BYTES);
        }
    }

    /** No message is out, and all that were are on record: what comes now is new again. */
    void settle(long floor) {
        if (!kept || proposed <= floor) {
            return;
        }
        if (underWay) {
            settleAt = floor;
        } else {
            propose(floor);
        }
    }

    /** Whether nothing is under way, and nothing before {@code floor} is left to settle. */
    boolean settled(long floor) {
        return !kept || !underWay && proposed <= floor;
    }

    private void propose(long offset) {
        underWay = true;
        proposed = offset;
        // Until it is certain which one holds, the lower one does.
        applied = Math.min(applied, offset);
        effects.mark(partition, offset, failure -> {
            if (failure == null) {
                proposed(offset);
            } else {
                effects.at(effects.nowMs() + RETRY_MS, () -> proposed(applied));
            }
        });
    }

    private void proposed(long known) {
        underWay = false;
        applied = known;
        proposed = known;
        if (settleAt != NOWHERE) {
            long floor = settleAt;
            settleAt = NOWHERE;
            settle(floor);
        }
        moved.run();
    }
}
