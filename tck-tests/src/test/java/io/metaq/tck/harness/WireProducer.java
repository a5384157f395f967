package io.metaq.tck.harness;

import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An idempotent producer over {@link Wire}: numbers its messages, keeps some in flight, and after a broken connection sends
 * what was not answered once more, in order. Writes to the ledger what it tried and what was promised.
 */
final class WireProducer implements Runnable {
    private static final int WINDOW = 32;

    private record Pending(long number, int partition, byte[] body) {}

    private final LoadPlan plan;
    private final Ledger ledger;
    private final String name;
    private final long id;
    private final Deque<Pending> unanswered = new ArrayDeque<>();
    private long next;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile @org.jspecify.annotations.Nullable Throwable failure;
    private volatile String lastRefusal = "";

    WireProducer(LoadPlan plan, Ledger ledger, int id) {
        this.plan = plan;
        this.ledger = ledger;
        this.id = plan.firstProducer() + id;
        this.name = "p" + this.id;
    }

    void stop() {
        stopping = true;
        stopped.countDown();
    }

    @org.jspecify.annotations.Nullable
    Throwable failure() {
        return failure;
    }

    /** The last answer that was neither success nor a broken connection. */
    String lastRefusal() {
        return lastRefusal;
    }

    @Override
    public void run() {
        try {
            while (!stopping) {
                runConnected();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void runConnected() throws InterruptedException {
        try (var wire = Wire.connect(plan.port())) {
            for (Pending pending : unanswered) {
                send(wire, pending);
            }
            while (!stopping || !unanswered.isEmpty()) {
                fillWindow(wire);
                receive(wire);
            }
        } catch (SocketException | java.io.EOFException e) {
            // The broker is away, as the test wants it: not to spin while it restarts
            stopped.await(20, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            throw new IllegalStateException(name + ": " + e.getMessage(), e);
        }
    }

    private void fillWindow(Wire wire) throws IOException {
        while (!stopping && unanswered.size() < plan.window()) {
            int length = 40 + (int) (next * 7919 % plan.maxLength());
            var pending = new Pending(next, (int) (next % plan.partitions()), Ledger.body(name, next, length));
            next++;
            ledger.attempted(name, pending.number());
            unanswered.add(pending);
            send(wire, pending);
        }
    }

    private void send(Wire wire, Pending pending) throws IOException {
        byte[] stored = StoredMessage.encode(pending.body());
        String command = "append %s %d 1 %d".formatted(plan.topic(), pending.partition(), stored.length);
        String options = "%d producer=%d seq=%d%s".formatted(pending.number(), id, pending.number(), plan.durability());
        wire.send(command, options, stored);
    }

    /** Replies may come in any order: the opaque is the message's number. */
    private void receive(Wire wire) throws IOException {
        if (unanswered.isEmpty()) {
            return;
        }
        var reply = wire.receive();
        long number = Long.parseLong(reply.opaque());
        if (reply.ok()) {
            String[] place = reply.text().split(" ");
            ledger.acknowledged(name, number, Integer.parseInt(place[1]), Long.parseLong(place[2]));
        } else {
            lastRefusal = reply.code() + " " + reply.text();
        }
        unanswered.removeIf(pending -> pending.number() == number);
    }

    static int defaultWindow() {
        return WINDOW;
    }
}
