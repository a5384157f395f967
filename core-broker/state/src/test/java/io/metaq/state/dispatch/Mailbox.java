package io.metaq.state.dispatch;

import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A consumer of tests: remembers what it got. */
final class Mailbox implements Recipient {
    record Got(int partition, long from, long to, int delivery, String text) {
        ClaimedRanges range() {
            return visitor -> visitor.range(partition, from, to);
        }
    }

    final List<Got> got = new ArrayList<>();
    final List<String> detached = new ArrayList<>();
    boolean writable = true;
    int runs;

    @Override
    public boolean writable() {
        return writable;
    }

    @Override
    public void deliver(int partition, long offset, int count, int deliveryCount, ByteBuffer run) {
        runs++;
        int at = run.position();
        int found = 0;
        while (at < run.limit()) {
            int length = run.getInt(at);
            int flag = run.getInt(at + 16);
            ByteBuffer payload = MessageBody.payload(flag & MessageFlags.PROPERTIES, run.slice(at + 20, length));
            long from = offset + at - run.position();
            got.add(new Got(
                    partition,
                    from,
                    from + 20 + length,
                    deliveryCount,
                    StandardCharsets.UTF_8.decode(payload).toString()));
            at += 20 + length;
            found++;
        }
        if (found != count) {
            throw new AssertionError("promised " + count + " messages, got " + found);
        }
    }

    @Override
    public void detached(String reason) {
        detached.add(reason);
    }

    List<String> texts() {
        return got.stream().map(Got::text).toList();
    }

    /** The payloads with their delivery counts. */
    String counted() {
        return got.stream().map(g -> g.text() + ":" + g.delivery()).collect(Collectors.joining(" "));
    }

    Got last() {
        return got.get(got.size() - 1);
    }

    ClaimedRanges all() {
        List<Got> copy = List.copyOf(got);
        return visitor -> copy.forEach(g -> visitor.range(g.partition(), g.from(), g.to()));
    }

    void clear() {
        got.clear();
        runs = 0;
    }

    @Override
    public String toString() {
        return "mailbox";
    }
}
