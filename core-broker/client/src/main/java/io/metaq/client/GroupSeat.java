package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.ServerInfo;
import io.metaq.client.net.Transport.Purpose;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Response;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seat at one broker. A {@code group join} takes it and tells what it owns; repeated with the generation it waits for the next
 * change. When the connection ends the broker takes the seat away, so everything owned is lost then and the seat is taken anew.
 * A broker known by two addresses has one seat: two would take it from each other for ever. Belongs to the link's loop.
 */
final class GroupSeat {

    private static final Logger LOG = LoggerFactory.getLogger(GroupSeat.class);
    private static final int WAIT_MS = 10_000;
    private static final long RETRY_MS = 300;
    private static final long REFUSED_RETRY_MS = 3_000;

    /**
     * What is joined by whom for what.
     *
     * @param taken who of the group's seats has the seat at a broker, by its id
     */
    record Seat(String group, String member, Set<String> topics, Map<Integer, GroupSeat> taken) {}

    private final ClientCore core;
    private final BrokerAddress server;
    private final Seat seat;
    private final GroupMembership.Listener listener;
    private final Link link;
    private final Set<TopicPartition> owned = new HashSet<>();
    private final Set<TopicPartition> givingUp = new HashSet<>();
    private @Nullable String generation;
    private volatile boolean left;

    GroupSeat(ClientCore core, BrokerAddress server, Seat seat, GroupMembership.Listener listener) {
        this.core = core;
        this.server = server;
        this.seat = seat;
        this.listener = listener;
        this.link = core.brokers().link(server, Purpose.GROUP);
    }

    void take() {
        link.run(this::join);
    }

    private void join() {
        if (left) {
            return;
        }
        Calls.identify(
                        link,
                        server,
                        "group join " + seat.group,
                        core.requestTimeout().toMillis())
                .whenComplete((info, failure) -> link.run(() -> {
                    if (info == null) {
                        joined(null, failure);
                    } else if (claim(info.brokerId())) {
                        ask();
                    } else {
                        later(REFUSED_RETRY_MS);
                    }
                }));
    }

    private boolean claim(int broker) {
        GroupSeat before = left ? null : seat.taken.putIfAbsent(broker, this);
        return before == null || before == this;
    }

    private void ask() {
        if (left) {
            return;
        }
        Map<String, String> options = new HashMap<>();
        options.put("member", seat.member);
        options.put("topics", String.join(",", seat.topics));
        String seen = generation;
        if (seen != null) {
            options.put("generation", seen);
            options.put("wait", Integer.toString(WAIT_MS));
        }
        long timeoutMs = core.requestTimeout().toMillis() + (seen == null ? 0 : WAIT_MS);
        Calls.admin(link, server, timeoutMs, AdminOperation.GROUP_JOIN, seat.group, options)
                .whenComplete((result, failure) -> link.run(() -> joined(result, failure)));
    }

    private void joined(Response.@Nullable Result result, @Nullable Throwable failure) {
        if (left) {
            return;
        }
        if (result == null) {
            lost(failure == null ? "no answer" : Failures.brief(failure));
            if (failure instanceof RequestTimeoutException) {
                // The broker may still count this connection's seat as taken: let it see the end.
                link.reset("group join was not answered in time");
            }
            later(RETRY_MS);
        } else if (result.ok()) {
            read(result.text());
            join();
        } else {
            LOG.warn("broker {} refuses group join {}: {} {}", server, seat.group, result.code(), result.text());
            lost("refused with " + result.code());
            later(REFUSED_RETRY_MS);
        }
    }

    private void later(long delayMs) {
        link.loop().schedule(this::join, delayMs, TimeUnit.MILLISECONDS);
    }

    private void lost(String why) {
        generation = null;
        givingUp.clear();
        if (!owned.isEmpty()) {
            LOG.info("group {} lost its partitions at {}: {}", seat.group, server, why);
            Set<TopicPartition> gone = Set.copyOf(owned);
            owned.clear();
            listener.lost(gone);
        }
    }

    private void read(String text) {
        ServerInfo info = link.server();
        int broker = info == null ? -1 : info.brokerId();
        core.brokers().seen(new BrokerNode(broker, server));
        Set<TopicPartition> assigned = new HashSet<>();
        for (String line : TopicText.lines(text)) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("generation")) {
                generation = words[1];
            } else if (words[0].equals("assign")) {
                assigned.add(new TopicPartition(words[1], broker, Integer.parseInt(words[2])));
            }
        }
        changed(assigned);
    }

    private void changed(Set<TopicPartition> assigned) {
        Set<TopicPartition> unwanted = new HashSet<>(owned);
        unwanted.removeAll(assigned);
        unwanted.removeAll(givingUp);
        Set<TopicPartition> fresh = new HashSet<>(assigned);
        fresh.removeAll(owned);
        owned.addAll(fresh);
        givingUp.addAll(unwanted);
        if (!unwanted.isEmpty()) {
            listener.revoked(unwanted);
        }
        if (!fresh.isEmpty()) {
            listener.assigned(fresh);
        }
    }

    void release(TopicPartition partition) {
        link.run(() -> {
            if (givingUp.remove(partition)) {
                owned.remove(partition);
                Map<String, String> options = Map.of(
                        "member", seat.member,
                        "topic", partition.topic(),
                        "partition", Integer.toString(partition.partition()));
                command(AdminOperation.GROUP_RELEASE, options);
            }
        });
    }

    /** Leaves, and tells what is lost by that: the broker does not have these topics any more. */
    void abandon() {
        leave();
        link.run(() -> lost("the topics are elsewhere"));
    }

    CompletableFuture<?> leave() {
        left = true;
        seat.taken.values().remove(this);
        return link.isDown()
                ? CompletableFuture.completedFuture(null)
                : command(AdminOperation.GROUP_LEAVE, Map.of("member", seat.member));
    }

    private CompletableFuture<?> command(AdminOperation operation, Map<String, String> options) {
        return Calls.admin(link, server, core.requestTimeout().toMillis(), operation, seat.group, options)
                .whenComplete((result, failure) -> {
                    if (failure != null || !result.ok()) {
                        LOG.debug("group {} at {}: {} failed: {}", seat.group, server, operation, result, failure);
                    }
                });
    }
}
