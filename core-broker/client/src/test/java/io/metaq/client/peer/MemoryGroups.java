package io.metaq.client.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Groups of a {@link MemoryBroker}: partitions in turn to members, handed on only when released. */
final class MemoryGroups {

    private final MemoryBroker broker;
    private final TreeMap<String, String> members = new TreeMap<>();
    private final Map<String, String> owners = new HashMap<>();
    private long generation = 1;

    MemoryGroups(MemoryBroker broker) {
        this.broker = broker;
    }

    void handle(Frame frame, Peer.Session session) throws Exception {
        String member = frame.option("member");
        switch (frame.word(1)) {
            case "join" -> {
                Thread waiter = new Thread(() -> join(frame, member, session));
                waiter.setDaemon(true);
                waiter.start();
            }
            case "release" -> {
                release(member, frame.option("topic") + " " + frame.option("partition"));
                session.result(200, "", frame.opaque());
            }
            case "leave" -> {
                leave(member);
                session.result(200, "", frame.opaque());
            }
            default -> session.result(400, "unknown", frame.opaque());
        }
    }

    private synchronized void join(Frame frame, String member, Peer.Session session) {
        try {
            if (!frame.option("topics").equals(members.put(member, frame.option("topics")))) {
                changed();
            }
            long seen = Long.parseLong(frame.option("generation", "-1"));
            long deadline = System.currentTimeMillis() + Long.parseLong(frame.option("wait", "0"));
            while (seen == generation && System.currentTimeMillis() < deadline) {
                wait(Math.max(1, deadline - System.currentTimeMillis()));
            }
            session.result(200, describe(member), frame.opaque());
        } catch (IOException | InterruptedException e) {
            leave(member);
        }
    }

    private String describe(String member) {
        Map<String, String> targets = targets();
        targets.forEach((partition, target) -> owners.putIfAbsent(partition, target));
        List<String> lines = new ArrayList<>();
        lines.add("generation " + generation);
        members.keySet().forEach(name -> lines.add("member " + name));
        owners.forEach((partition, owner) -> {
            if (owner.equals(member) && member.equals(targets.get(partition))) {
                lines.add("assign " + partition);
            }
        });
        return String.join("\r\n", lines);
    }

    private Map<String, String> targets() {
        Map<String, String> targets = new HashMap<>();
        List<String> names = new ArrayList<>(members.keySet());
        int turn = 0;
        for (String partition : partitions()) {
            targets.put(partition, names.get(turn++ % names.size()));
        }
        return targets;
    }

    private TreeSet<String> partitions() {
        TreeSet<String> all = new TreeSet<>();
        members.values().forEach(topics -> all.addAll(broker.partitionsOf(topics)));
        return all;
    }

    private synchronized void release(String member, String partition) {
        if (owners.remove(partition, member)) {
            changed();
        }
    }

    private synchronized void leave(String member) {
        if (members.remove(member) != null) {
            owners.values().removeIf(owner -> owner.equals(member));
            changed();
        }
    }

    private void changed() {
        generation++;
        notifyAll();
    }
}
