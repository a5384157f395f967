package io.metaq.state.dispatch;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which consumer has which group. A group stays with its consumer while that is attached; of very many groups those that
 * rest longest, with nothing out, are forgotten and may go to another consumer when they come again.
 */
final class Groups {
    static final int MOST = 64 << 10;

    private static final int TRIED_AT_ONCE = 16;

    private static final class Pin {
        private final Subscriber owner;
        private int out;

        Pin(Subscriber owner) {
            this.owner = owner;
        }
    }

    private final LinkedHashMap<String, Pin> pins = new LinkedHashMap<>(16, 0.75f, true);

    /** Messages go to a consumer; their group, if they have one and nobody else has it, is its own from now on. */
    void out(@Nullable String group, Subscriber owner, int messages) {
        if (group != null) {
            Pin pin = pins.get(group);
            if (pin == null) {
                forgetResting();
                pin = new Pin(owner);
                pins.put(group, pin);
            }
            pin.out += messages;
        }
    }

    private void forgetResting() {
        int tries = pins.size() >= MOST ? TRIED_AT_ONCE : 0;
        Iterator<Pin> oldest = pins.values().iterator();
        while (tries-- > 0 && oldest.hasNext()) {
            Pin pin = oldest.next();
            if (pin.out == 0 && pin.owner.parked.isEmpty() && pin.owner.overflow.isEmpty()) {
                oldest.remove();
            }
        }
    }

    @Nullable
    Subscriber ownerOf(String group) {
        Pin pin = pins.get(group);
        return pin == null ? null : pin.owner;
    }

    /**
     * Messages of a group are no longer out.
     *
     * @return its consumer, if that left before and the group is free now; else null
     */
    @Nullable
    Subscriber back(@Nullable String group, int messages) {
        Pin pin = group == null ? null : pins.get(group);
        if (pin == null) {
            return null;
        }
        pin.out = Math.max(0, pin.out - messages);
        if (pin.out > 0 || pin.owner.attached) {
            return null;
        }
        pins.remove(group);
        return pin.owner;
    }

    /**
     * Frees the groups of a consumer that left. What it acknowledged and is on its way into the journal may come back: till that is
     * certain nobody else has the group.
     */
    void forget(Subscriber gone) {
        pins.values().removeIf(pin -> pin.owner == gone && pin.out == 0);
    }

    void clear() {
        pins.clear();
    }

    int size() {
        return pins.size();
    }

    /** Number of groups of each consumer. */
    Map<Subscriber, Integer> counts() {
        Map<Subscriber, Integer> counts = new LinkedHashMap<>();
        pins.values().forEach(pin -> counts.merge(pin.owner, 1, Integer::sum));
        return counts;
    }
}
