package io.metaq.broker.command;

import io.metaq.broker.group.GroupCoordinator;
import io.metaq.broker.net.Session;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.PartitionName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** {@code group join}, {@code leave} and {@code release}. A member belongs to the connection that it last joined by. */
final class MembershipCommands {
    private record Member(String group, String name) {}

    private final GroupCoordinator coordinator;
    private final int maxWaitMs;

    /**
     * Under its own lock, which is held until the coordinator knows of a departure too: else a member that joins by another connection
     * in between is taken for the one that left.
     */
    private final Map<Session, Set<Member>> members = new HashMap<>();

    /** @param maxWaitMs how long a join is held at most when there is no news */
    MembershipCommands(GroupCoordinator coordinator, int maxWaitMs) {
        this.coordinator = coordinator;
        this.maxWaitMs = maxWaitMs;
    }

    void join(Request.Admin admin, OptionReader options, Session session) {
        Member member = new Member(admin.name(), options.required("member"));
        Set<String> topics = new TreeSet<>(Set.of(options.required("topics").split(",")));
        bind(member, session);
        Hold hold = new Hold();
        long wait = Math.min(maxWaitMs, options.number("wait", 0));
        long known = wait > 0 ? options.number("generation", -1) : -1;
        Runnable answerNow = coordinator.join(
                member.group(),
                member.name(),
                topics,
                known,
                view -> session.later(() -> {
                    hold.done();
                    session.reply(Status.OK, text(view), admin.opaque());
                }));
        if (known >= 0) {
            hold.until(session.after(wait, answerNow));
        }
    }

    /** The timer of a held join, which may be answered before the timer is set. On one event loop. */
    private static final class Hold {
        private Runnable cancel = () -> {};
        private boolean done;

        void until(Runnable cancelTimer) {
            cancel = cancelTimer;
            if (done) {
                cancel.run();
            }
        }

        void done() {
            done = true;
            cancel.run();
        }
    }

    private void bind(Member member, Session session) {
        boolean first;
        boolean moved = false;
        synchronized (members) {
            for (Map.Entry<Session, Set<Member>> other : members.entrySet()) {
                moved |= other.getKey() != session && other.getValue().remove(member);
            }
            first = !members.containsKey(session);
            members.computeIfAbsent(session, s -> new HashSet<>()).add(member);
            if (moved) {
                // It begins anew on this connection and cannot let go of what it had on the other.
                coordinator.leave(member.group(), member.name());
            }
        }
        if (first) {
            session.onClose(() -> gone(session));
        }
    }

    private void gone(Session session) {
        synchronized (members) {
            Set<Member> left = members.remove(session);
            if (left != null) {
                left.forEach(member -> coordinator.leave(member.group(), member.name()));
            }
        }
    }

    void leave(Request.Admin admin, OptionReader options, Session session) {
        Member member = new Member(admin.name(), options.required("member"));
        synchronized (members) {
            members.values().forEach(theirs -> theirs.remove(member));
            coordinator.leave(member.group(), member.name());
        }
        session.reply(Status.OK, "", admin.opaque());
    }

    void release(Request.Admin admin, OptionReader options, Session session) {
        coordinator.release(
                admin.name(),
                options.required("member"),
                new PartitionName(options.required("topic"), options.index("partition")));
        session.reply(Status.OK, "", admin.opaque());
    }

    private static String text(GroupCoordinator.View view) {
        StringBuilder lines =
                new StringBuilder("generation ").append(view.generation()).append("\r\n");
        view.members().forEach(member -> lines.append("member ").append(member).append("\r\n"));
        view.owned()
                .forEach(owned -> lines.append("assign ")
                        .append(owned.topic())
                        .append(' ')
                        .append(owned.partition())
                        .append("\r\n"));
        return lines.toString();
    }
}
