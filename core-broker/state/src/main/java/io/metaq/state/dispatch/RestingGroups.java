package io.metaq.state.dispatch;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The groups of messages that came back and rest before their next delivery, in one partition: later messages of the group wait for them.
 * A message that was taken away while it rested stays here until it would have been due, and is no obstacle.
 */
final class RestingGroups {
    private static final TreeSet<Long> NONE = new TreeSet<>();

    private final Map<Long, String> groups = new HashMap<>();
    private final Map<String, TreeSet<Long>> offsets = new HashMap<>();

    /** Those whose group is not known yet: they came back in an earlier life, or out of a transaction. */
    private final TreeSet<Long> unread = new TreeSet<>();

    /** A message rests. @param group null for none, {@link CameBack#UNREAD} if that is to be found out */
    @SuppressWarnings("ReferenceEquality")
    void add(long offset, @Nullable String group) {
        if (group == CameBack.UNREAD) {
            unread.add(offset);
        } else if (group != null) {
            groups.put(offset, group);
            offsets.computeIfAbsent(group, name -> new TreeSet<>()).add(offset);
        }
    }

    /** It is due. */
    void remove(long offset) {
        unread.remove(offset);
        String group = groups.remove(offset);
        TreeSet<Long> others = group == null ? null : offsets.get(group);
        if (others != null && others.remove(offset) && others.isEmpty()) {
            offsets.remove(group);
        }
    }

    /** Looks up the groups that are not known, as far as the budget allows; false if some are left. */
    boolean read(LogWindow window, Budget budget) throws IOException {
        while (!unread.isEmpty() && !budget.spent()) {
            long offset = unread.first();
            budget.spend(Budget.LOOK);
            add(offset, window.seek(offset) ? Judge.groupOf(window.flag(offset), window.body(offset)) : null);
            unread.remove(offset);
        }
        return unread.isEmpty();
    }

    /** Until when a message of a group waits for earlier ones, milliseconds since 1970; 0 if none rests. */
    long untilMs(String group, long offset, Map<Long, CameBack> cameBack, long nowMs) {
        if (offsets.isEmpty()) {
            return 0;
        }
        for (long earlier : offsets.getOrDefault(group, NONE).headSet(offset)) {
            CameBack message = cameBack.get(earlier);
            if (message != null && message.rests(nowMs)) {
                return message.notBeforeMs();
            }
        }
        return 0;
    }
}
