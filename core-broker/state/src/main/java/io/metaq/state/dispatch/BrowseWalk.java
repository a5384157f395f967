package io.metaq.state.dispatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A walk over what was pending when it began, in the order of the log: also what is out, not what is delayed, expired or
 * does not match. Changes nothing.
 */
final class BrowseWalk {
    private static final long MOST_BYTES = 64 << 10;

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

    private final Judge judge;
    private final List<Leg> legs = new ArrayList<>();
    private final Run run = new Run();
    private int current;

    BrowseWalk(Judge judge, List<Lane> lanes) {
        this.judge = judge;
        for (Lane lane : lanes) {
            legs.add(new Leg(lane, lane.log().endOffset()));
        }
    }

    boolean finished() {
        return current == legs.size();
    }

    /** Ends before its end. */
    void abandon() {
        current = legs.size();
    }

    /** Shows messages for as long as the browser takes them. */
    void step(Subscriber browser, long nowMs, Budget budget) throws IOException {
        while (!finished() && browser.ready() && !budget.spent()) {
            Leg leg = legs.get(current);
            leg.at = leg.lane.cursor.nextPending(leg.at);
            if (leg.at >= leg.end) {
                current++;
            } else if (leg.lane.window.seek(leg.at)) {
                gather(leg, browser, nowMs, budget);
                show(leg.lane, browser);
            } else if (leg.lane.window.resume() > leg.at) {
                leg.at = leg.lane.window.resume();
            } else {
                current++;
            }
        }
    }

    private void gather(Leg leg, Subscriber browser, long nowMs, Budget budget) {
        Lane lane = leg.lane;
        while (leg.at < leg.end && lane.window.holds(leg.at) && !budget.spent()) {
            int size = lane.window.size(leg.at);
            int delivery = lane.nextDelivery(leg.at);
            budget.spend(size + Budget.LOOK);
            if (shown(lane, leg.at, browser, nowMs)) {
                if (run.isEmpty()) {
                    run.begin(browser, null, leg.at, delivery, ReadySet.DEFAULT_PRIORITY, MOST_BYTES);
                } else if (run.deliveryCount() != delivery || !run.fits(size)) {
                    return;
                }
                run.add(size);
            } else if (!run.isEmpty()) {
                leg.at += size;
                return;
            }
            leg.at += size;
        }
    }

    private boolean shown(Lane lane, long offset, Subscriber browser, long nowMs) {
        LeaseRun out = lane.leases.covering(offset);
        if (lane.cursor.isTaken(offset) || out != null && out.holder == null) {
            return false;
        }
        int flag = lane.window.flag(offset);
        CameBack message = lane.cameBack.get(offset);
        boolean resting = message != null && message.notBeforeMs() > nowMs;
        return !resting
                && !Judge.delayed(flag, lane.window.body(offset), nowMs)
                && judge.judge(
                                browser.selectorClass.selector,
                                nowMs,
                                flag,
                                lane.window.body(offset),
                                lane.window.id(offset))
                        == Judge.Verdict.FITS;
    }

    private void show(Lane lane, Subscriber browser) {
        if (!run.isEmpty()) {
            int count = run.count();
            long from = run.from();
            long end = run.end();
            int delivery = run.deliveryCount();
            run.clear();
            browser.took(count, end - from);
            browser.recipient.deliver(lane.number, from, count, delivery, lane.window.bytes(from, end));
        }
    }
}
