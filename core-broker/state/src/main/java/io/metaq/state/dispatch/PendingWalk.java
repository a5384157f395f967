package io.metaq.state.dispatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A walk over what was pending when it began, what is out included, in the order of the log. */
final class PendingWalk {
    /** Looks at one message, which is in its lane's window. */
    interface Visitor {
        /** @return whether to go on */
        boolean message(Lane lane, long offset, int size);
    }

    private static final class Leg {
        private final Lane lane;
        private final long end;
        private long at;

        Leg(Lane lane, long end) {
            this.lane = lane;
            this.end = end;
            this.at = lane.cursor.floor();
        }
    }

    private final List<Leg> legs = new ArrayList<>();
    private int current;

    PendingWalk(List<Lane> lanes) {
        for (Lane lane : lanes) {
            legs.add(new Leg(lane, lane.log().endOffset()));
        }
    }

    boolean finished() {
        return current >= legs.size();
    }

    /** Ends before its end. */
    void end() {
        current = legs.size();
    }

    void step(Budget budget, Visitor visitor) throws IOException {
        boolean goOn = true;
        while (goOn && !finished() && !budget.spent()) {
            Leg leg = legs.get(current);
            leg.at = leg.lane.cursor.nextPending(leg.at);
            budget.spend(Budget.LOOK);
            if (leg.at >= leg.end) {
                current++;
            } else if (leg.lane.window.seek(leg.at)) {
                int size = leg.lane.window.size(leg.at);
                budget.spend(size);
                long offset = leg.at;
                leg.at += size;
                goOn = visitor.message(leg.lane, offset, size);
            } else if (leg.lane.window.resume() > leg.at) {
                leg.at = leg.lane.window.resume();
            } else {
                current++;
            }
        }
    }
}
