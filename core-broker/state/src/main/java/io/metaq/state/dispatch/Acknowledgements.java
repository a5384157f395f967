package io.metaq.state.dispatch;

import io.metaq.state.subscription.MessageRanges;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what is acknowledged during one turn of the thread into one record. What the subscription does not take is
 * acknowledged too, but may wait: for company, some megabytes, or a second.
 */
final class Acknowledgements {
    private static final long MOST_PASSED_BYTES = 4 << 20;
    private static final int MOST_PASSED_RANGES = 4096;
    private static final long PASSED_WAIT_MS = 1_000;

    private record Asked(AckTicket ticket, AckAnswer answer) {}

    private final Effects effects;
    private final Runnable settled;
    private List<Asked> asked = new ArrayList<>();
    private MessageRanges passed = new MessageRanges();
    private long passedBytes;
    private boolean flushing;
    private boolean timed;
    private int underWay;

    Acknowledgements(Effects effects, Runnable settled) {
        this.effects = effects;
        this.settled = settled;
    }

    void add(AckTicket ticket, AckAnswer answer) {
        asked.add(new Asked(ticket, answer));
        flushSoon();
    }

    /** The subscription does not take this message. */
    void pass(int partition, long from, long to) {
        passed.add(partition, from, to, 1);
        passedBytes += to - from;
        if (passedBytes >= MOST_PASSED_BYTES || passed.size() >= MOST_PASSED_RANGES) {
            flushSoon();
        } else if (!timed) {
            timed = true;
            effects.at(effects.nowMs() + PASSED_WAIT_MS, () -> {
                timed = false;
                flush();
            });
        }
    }

    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            effects.soon(() -> {
                flushing = false;
                flush();
            });
        }
    }

    /** Hands on what there is. */
    void flush() {
        if (asked.isEmpty() && passed.isEmpty()) {
            return;
        }
        List<Asked> now = asked;
        asked = new ArrayList<>();
        MessageRanges ranges = passed;
        passed = new MessageRanges();
        passedBytes = 0;
        for (Asked one : now) {
            MessageRanges theirs = one.ticket().ranges();
            for (int i = 0; i < theirs.size(); i++) {
                ranges.add(theirs.partition(i), theirs.from(i), theirs.to(i), theirs.messages(i));
            }
        }
        if (ranges.isEmpty()) {
            now.forEach(one -> answer(one, null));
            return;
        }
        underWay++;
        effects.acknowledge(ranges, failure -> {
            underWay--;
            for (Asked one : now) {
                if (failure == null) {
                    one.ticket().applied();
                } else {
                    one.ticket().refused();
                }
                answer(one, failure);
            }
            settled.run();
        });
    }

    private static void answer(Asked one, @Nullable Throwable failure) {
        one.answer().acknowledged(one.ticket().acknowledged(), one.ticket().missed(), failure);
    }

    boolean isEmpty() {
        return underWay == 0 && asked.isEmpty() && passed.isEmpty();
    }
}
