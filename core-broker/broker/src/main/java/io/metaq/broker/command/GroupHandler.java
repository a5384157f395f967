package io.metaq.broker.command;

import io.metaq.broker.group.GroupCoordinator;
import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.Group;
import io.metaq.state.PartitionName;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code group}: positions of consumer groups. Membership is {@link MembershipCommands}'. */
final class GroupHandler implements CommandHandler {
    private final Store store;
    private final GroupCoordinator coordinator;
    private final MembershipCommands membership;
    private final Clock clock;

    GroupHandler(HandlerContext context, GroupCoordinator coordinator, MembershipCommands membership) {
        this.store = context.store();
        this.clock = context.clock();
        this.coordinator = coordinator;
        this.membership = membership;
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Admin admin = (Request.Admin) request;
        OptionReader options = new OptionReader(admin.options());
        try {
            switch (admin.operation()) {
                case GROUP_COMMIT -> commit(admin, options, session);
                case GROUP_OFFSETS -> offsets(admin, options, session);
                case GROUP_LIST -> list(admin, session);
                case GROUP_DESCRIBE -> describe(admin, session);
                case GROUP_RESET -> reset(admin, options, session);
                case GROUP_HISTORY -> history(admin, options, session);
                case GROUP_DELETE -> delete(admin, session);
                case GROUP_JOIN -> membership.join(admin, options, session);
                case GROUP_LEAVE -> membership.leave(admin, options, session);
                case GROUP_RELEASE -> membership.release(admin, options, session);
                default ->
                    session.reply(
                            Status.NOT_SUPPORTED, "group " + admin.operation().word(), admin.opaque());
            }
        } catch (IllegalArgumentException e) {
            session.reply(Status.BAD_REQUEST, String.valueOf(e.getMessage()), admin.opaque());
        } catch (IOException e) {
            session.reply(Status.FAILED, "the partition log cannot be read: " + e.getMessage(), admin.opaque());
        }
    }

    private void commit(Request.Admin admin, OptionReader options, Session session) {
        String topic = options.required("topic");
        int partition = options.index("partition");
        long offset = options.number("offset");
        if (offset < 0) {
            throw new IllegalArgumentException("option offset must be 0 or more: " + offset);
        }
        if (store.state().partition(topic, partition) == null) {
            session.reply(
                    Status.NOT_FOUND, "there is no partition " + partition + " of topic " + topic, admin.opaque());
            return;
        }
        Change commit = new Change.OffsetCommitted(
                admin.name(), topic, partition, offset, options.number("id", -1), clock.millis());
        session.taken(0);
        store.change(commit, Durability.OS)
                .whenComplete((outcome, failure) -> session.later(() -> {
                    session.reply(ChangeAnswers.of(outcome, failure, admin.opaque()));
                    session.written(0);
                }));
    }

    private void offsets(Request.Admin admin, OptionReader options, Session session) {
        Group group = store.state().group(admin.name());
        StringBuilder lines = new StringBuilder();
        if (group != null) {
            positions(group.positions(), options.text("topic"), lines);
        }
        session.reply(Status.OK, lines.toString(), admin.opaque());
    }

    private static void positions(
            Map<PartitionName, Group.Position> positions, @Nullable String topic, StringBuilder lines) {
        positions.forEach((partition, position) -> {
            if (topic == null || topic.equals(partition.topic())) {
                lines.append(partition.topic()).append(' ').append(partition.partition());
                lines.append(' ').append(position.offset()).append(' ').append(position.messageId());
                lines.append(' ').append(position.timestampMs()).append("\r\n");
            }
        });
    }

    private void list(Request.Admin admin, Session session) {
        Glob glob = new Glob(admin.name());
        TreeSet<String> names = new TreeSet<>(coordinator.groups());
        store.state().groups().forEach(group -> names.add(group.name()));
        StringBuilder lines = new StringBuilder();
        for (String name : names) {
            if (glob.matches(name)) {
                lines.append(name)
                        .append(" members ")
                        .append(coordinator.members(name).size())
                        .append("\r\n");
            }
        }
        session.reply(Status.OK, lines.toString(), admin.opaque());
    }

    private void describe(Request.Admin admin, Session session) {
        Group group = store.state().group(admin.name());
        Map<PartitionName, String> owners = coordinator.owners(admin.name());
        if (group == null && coordinator.members(admin.name()).isEmpty()) {
            session.reply(Status.NOT_FOUND, "there is no group " + admin.name(), admin.opaque());
            return;
        }
        StringBuilder lines = new StringBuilder();
        for (String member : coordinator.members(admin.name())) {
            lines.append("member ").append(member).append("\r\n");
        }
        TreeSet<PartitionName> partitions = new TreeSet<>(owners.keySet());
        if (group != null) {
            partitions.addAll(group.positions().keySet());
        }
        for (PartitionName partition : partitions) {
            Group.Position position = group == null ? null : group.position(partition);
            describe(partition, position, owners.get(partition), lines);
        }
        session.reply(Status.OK, lines.toString(), admin.opaque());
    }

    private void describe(
            PartitionName name, Group.@Nullable Position position, @Nullable String owner, StringBuilder lines) {
        var partition = store.state().partition(name.topic(), name.partition());
        long start = partition == null ? 0 : partition.log().startOffset();
        long end = partition == null ? 0 : partition.log().endOffset();
        lines.append("partition ").append(name.topic()).append(' ').append(name.partition());
        lines.append(" offset ").append(position == null ? "-" : Long.toString(position.offset()));
        lines.append(" end ").append(end);
        // A position ahead of the end has nothing pending: the lag is never negative.
        long from = position == null ? start : Math.max(start, position.offset());
        lines.append(" lag ").append(Math.max(0, end - from));
        lines.append(" owner ").append(owner == null ? "-" : owner).append("\r\n");
    }

    private void reset(Request.Admin admin, OptionReader options, Session session) throws IOException {
        String name = options.required("topic");
        Topic topic = store.state().topic(name);
        if (topic == null) {
            session.reply(Status.NOT_FOUND, "there is no topic " + name, admin.opaque());
            return;
        }
        boolean active = coordinator.owners(admin.name()).keySet().stream()
                .anyMatch(owned -> owned.topic().equals(name));
        if (active) {
            session.reply(
                    Status.CONFLICT,
                    "group " + admin.name() + " has members that would overwrite the reset: stop them first: "
                            + String.join(", ", coordinator.members(admin.name())),
                    admin.opaque());
            return;
        }
        String only = options.text("partition");
        int partition = only == null ? OffsetReset.ALL : options.index("partition");
        OffsetReset reset = new OffsetReset(topic, partition, options.required("to"));
        Map<Integer, Long> offsets = new TreeMap<>(reset.offsets(store.state().group(admin.name())));
        ChangeAnswers.inOrder(
                store, new Change.OffsetsReset(admin.name(), name, offsets, clock.millis()), admin.opaque(), session);
    }

    private void history(Request.Admin admin, OptionReader options, Session session) {
        Group group = store.state().group(admin.name());
        if (group == null) {
            session.reply(Status.NOT_FOUND, "there is no group " + admin.name(), admin.opaque());
            return;
        }
        StringBuilder lines = new StringBuilder();
        for (Group.Moment moment : group.history()) {
            StringBuilder positions = new StringBuilder();
            positions(moment.positions(), options.text("topic"), positions);
            if (positions.length() > 0) {
                lines.append("at ").append(moment.timestampMs()).append("\r\n").append(positions);
            }
        }
        session.reply(Status.OK, lines.toString(), admin.opaque());
    }

    private void delete(Request.Admin admin, Session session) {
        if (!coordinator.members(admin.name()).isEmpty()) {
            session.reply(
                    Status.CONFLICT,
                    "group " + admin.name() + " has members: stop them first: "
                            + String.join(", ", coordinator.members(admin.name())),
                    admin.opaque());
            return;
        }
        ChangeAnswers.inOrder(store, new Change.GroupDeleted(admin.name()), admin.opaque(), session);
    }
}
