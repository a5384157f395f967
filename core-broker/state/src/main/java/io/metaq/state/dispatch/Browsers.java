package io.metaq.state.dispatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The attached consumers that only look. */
final class Browsers {
    private final List<Subscriber> browsers = new ArrayList<>();
    private final Effects effects;

    Browsers(Effects effects) {
        this.effects = effects;
    }

    void add(Subscriber browser) {
        browsers.add(browser);
    }

    void remove(Subscriber browser) {
        browsers.remove(browser);
    }

    /** Shows each what it takes; true if there is more to do at once. */
    boolean serve(Budget budget, long nowMs) {
        boolean more = false;
        for (Subscriber browser : browsers) {
            BrowseWalk walk = browser.walk;
            if (walk != null && browser.wants()) {
                try {
                    walk.step(browser, nowMs, budget);
                } catch (IOException e) {
                    effects.unreadable(0, e);
                    walk.abandon();
                }
                if (browser.drainFull() || walk.finished()) {
                    browser.endDrain();
                }
                more |= (!walk.finished() || browser.draining()) && browser.ready();
            }
        }
        return more;
    }
}
