package io.metaq.state.dispatch;

import io.metaq.message.PropertyBlock;
import io.metaq.message.Selector;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An operator's move of messages to another destination, or of dead letters back to where they came from. */
final class Relocation implements Job {
    private static final int MOST_MOVES = 64;

    private final Dispatch dispatch;
    private final MoveOrder order;
    private final MoveAnswer answer;
    private final PendingWalk walk;
    private int underWay;
    private int moved;
    private boolean answered;
    private @Nullable Throwable failure;

    Relocation(Dispatch dispatch, MoveOrder order, MoveAnswer answer) {
        this.dispatch = dispatch;
        this.order = order;
        this.answer = answer;
        this.walk = new PendingWalk(dispatch.lanes);
    }

    @Override
    public void step(Budget budget, long nowMs) {
        try {
            while (canStep() && !budget.spent()) {
                walk.step(budget, this::look);
            }
        } catch (IOException e) {
            fail(e);
        }
        if (!answered && underWay == 0 && done()) {
            answered = true;
            answer.moved(moved, failure);
        }
    }

    private void fail(Throwable cause) {
        failure = failure == null ? cause : failure;
        walk.end();
    }

    private boolean done() {
        return walk.finished() || moved >= order.most();
    }

    @Override
    public boolean canStep() {
        return !walk.finished() && underWay < MOST_MOVES && moved + underWay < order.most();
    }

    @Override
    public boolean finished() {
        return answered;
    }

    private boolean look(Lane lane, long offset, int size) {
        if (lane.leases.covering(offset) == null && wanted(lane, offset)) {
            move(lane, offset, size);
        }
        return canStep();
    }

    private boolean wanted(Lane lane, long offset) {
        long id = lane.window.id(offset);
        if (order.id() != null && order.id() != id) {
            return false;
        }
        Selector selector = order.selector();
        return selector == null || selector.matches(properties(lane, offset), id);
    }

    private static @Nullable PropertyBlock properties(Lane lane, long offset) {
        return Judge.properties(lane.window.flag(offset), lane.window.body(offset));
    }

    private void move(Lane lane, long offset, int size) {
        ByteBuffer message;
        String target = order.target();
        if (target == null) {
            target = DeadLetter.origin(properties(lane, offset));
            if (target == null) {
                return; // no dead letter
            }
            message = DeadLetter.restored(lane.window.flag(offset), lane.window.body(offset));
        } else {
            ByteBuffer bytes = lane.window.bytes(offset, offset + size);
            message = ByteBuffer.allocate(size).put(bytes).flip();
        }
        CameBack before = new CameBack(lane.nextDelivery(offset), 0, lane.priority(offset), false, CameBack.UNREAD);
        LeaseRun out = dispatch.returns.takeOut(lane, offset, size, before);
        underWay++;
        dispatch.effects.move(
                new Move(lane.number, offset, offset + size, target, message, "moved by an operator"), cause -> {
                    underWay--;
                    if (cause == null) {
                        moved++;
                        dispatch.done(lane, out);
                    } else {
                        fail(cause);
                        dispatch.restore(lane, out, null);
                    }
                    dispatch.wake();
                });
    }
}
