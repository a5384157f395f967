package io.metaq.state.dispatch;

import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.state.subscription.Subscription;
import java.io.IOException;
import java.util.Arrays;

/**
 * What is remembered of looking for expired messages in one subscription, from one look to the next: each message is
 * looked at once, and again only when the first of those that were found to expire has done so. One look at a time; the
 * questions may come from any thread in between.
 */
public final class ExpirySweep {
    private volatile long[] at = {};
    private volatile long nextExpiryMs = Long.MAX_VALUE;

    /** Whether there is something to look at. */
    public boolean due(Subscription subscription, long[] ends, long nowMs) {
        long[] seen = at;
        for (int i = 0; i < ends.length; i++) {
            boolean unseen = i >= seen.length || seen[i] < ends[i];
            if (unseen && subscription.cursor(i).floor() < ends[i]) {
                return true;
            }
        }
        return nextExpiryMs <= nowMs;
    }

    /** A piece of the work; on the dispatch's thread. */
    void step(Dispatch dispatch, Budget budget, long nowMs) {
        if (nextExpiryMs <= nowMs) {
            nextExpiryMs = Long.MAX_VALUE;
            at = new long[0];
        }
        long[] positions = Arrays.copyOf(at, dispatch.lanes.size());
        for (Lane lane : dispatch.lanes) {
            try {
                positions[lane.number] = look(dispatch, lane, positions[lane.number], budget, nowMs);
            } catch (IOException e) {
                dispatch.unreadable(lane, e);
            }
        }
        at = positions;
    }

    private long look(Dispatch dispatch, Lane lane, long from, Budget budget, long nowMs) throws IOException {
        long position = lane.cursor.nextPending(Math.max(from, lane.cursor.floor()));
        while (position < lane.end && !budget.spent()) {
            budget.spend(Budget.LOOK);
            if (!lane.window.seek(position)) {
                if (lane.window.resume() <= position) {
                    return position;
                }
                position = lane.cursor.nextPending(lane.window.resume());
                continue;
            }
            int size = lane.window.size(position);
            budget.spend(size);
            if (MessageFlags.has(lane.window.flag(position), MessageFlags.EXPIRES)) {
                look(dispatch, lane, position, size, nowMs);
            }
            position = lane.cursor.nextPending(position + size);
        }
        return Math.min(position, lane.end);
    }

    private void look(Dispatch dispatch, Lane lane, long offset, int size, long nowMs) {
        long expiryMs = expiryMs(lane, offset);
        boolean gone = expiryMs <= nowMs
                && lane.leases.covering(offset) == null
                && dispatch.returns.expire(lane, offset, size, lane.priority(offset));
        if (!gone) {
            // One that is leased, or cannot be moved, is looked at again soon.
            nextExpiryMs = Math.min(nextExpiryMs, Math.max(expiryMs, nowMs + 1_000));
        }
    }

    private static long expiryMs(Lane lane, long offset) {
        try {
            PropertyBlock properties = PropertyBlock.ofBody(lane.window.flag(offset), lane.window.body(offset));
            return properties == null ? Long.MAX_VALUE : properties.headerLong(HeaderField.EXPIRATION, Long.MAX_VALUE);
        } catch (MalformedPropertiesException e) {
            return Long.MAX_VALUE;
        }
    }
}
