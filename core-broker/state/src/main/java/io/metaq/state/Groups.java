package io.metaq.state;

import io.metaq.state.record.Change;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The consumer groups' positions. Changed on the writer thread. */
final class Groups {
    private final Map<String, Group> byName = new ConcurrentSkipListMap<>();

    @Nullable
    Group byName(String name) {
        return byName.get(name);
    }

    Collection<Group> all() {
        return byName.values();
    }

    Group create(String name) {
        return byName.computeIfAbsent(name, Group::new);
    }

    Outcome commit(Change.OffsetCommitted committed) {
        create(committed.group())
                .commit(
                        new PartitionName(committed.topic(), committed.partition()),
                        new Group.Position(committed.offset(), committed.messageId(), committed.timestampMs()));
        return Outcome.DONE;
    }

    Outcome reset(Change.OffsetsReset reset) {
        Map<PartitionName, Group.Position> moved = new TreeMap<>();
        reset.offsets()
                .forEach((partition, offset) -> moved.put(
                        new PartitionName(reset.topic(), partition),
                        new Group.Position(offset, -1, reset.timestampMs())));
        create(reset.group()).reset(moved, reset.timestampMs());
        return Outcome.DONE;
    }

    Outcome delete(String name) {
        return byName.remove(name) == null
                ? Outcome.refused(Refusal.UNKNOWN_GROUP, "there is no group " + name)
                : Outcome.DONE;
    }

    void forgetTopic(String topic) {
        byName.values().forEach(group -> group.forgetTopic(topic));
        byName.values()
                .removeIf(
                        group -> group.positions().isEmpty() && group.history().isEmpty());
    }
}
