package io.metaq.tck.languages;

import io.metaq.tck.harness.ChildProcess;
import io.metaq.tck.harness.Ledger;
import io.metaq.testkit.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A client of another language under load: it says of each message what became of it. */
final class LoadDriver implements AutoCloseable {
    private static final String PRODUCER = "load";
    private static final int PATIENCE_S = 120;

    private final Ledger ledger;
    private final ChildProcess process;
    private final Set<String> consumed = ConcurrentHashMap.newKeySet();
    private final CountDownLatch connected = new CountDownLatch(1);
    private final CountDownLatch consuming = new CountDownLatch(1);
    private final List<String> faults = new CopyOnWriteArrayList<>();

    LoadDriver(Language language, int port, Ledger ledger) {
        this.ledger = ledger;
        this.process = language.start(this::said);
        ask(Map.of("do", "connect", "server", "127.0.0.1:" + port), connected);
    }

    /** Waits until the program says that it is so. */
    private void ask(Map<String, ?> command, CountDownLatch done) {
        ask(command);
        try {
            if (!done.await(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new AssertionError(command + ": " + faults + "\n" + process.lastErrors());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void said(String line) {
        if (!line.startsWith("{")) {
            faults.add(line);
        } else if (Json.parse(line) instanceof Map<?, ?> said) {
            if (said.get("acknowledged") instanceof List<?> place) {
                ledger.acknowledged(
                        PRODUCER, (Long) place.get(0), ((Long) place.get(1)).intValue(), (Long) place.get(2));
            } else if (said.get("consumed") instanceof List<?> message) {
                consumed.add((String) message.get(1));
            } else if (said.containsKey("connected")) {
                connected.countDown();
            } else if (said.containsKey("consuming")) {
                consuming.countDown();
            } else if (said.containsKey("failed") || said.containsKey("error")) {
                faults.add(line);
            }
        }
    }

    private void ask(Map<String, ?> command) {
        process.send(Json.write(command));
    }

    /** Sends messages of these numbers, and returns at once. */
    void produce(String topic, int first, int count) {
        for (int number = first; number < first + count; number++) {
            ledger.attempted(PRODUCER, number);
        }
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("do", "produce");
        command.put("topic", topic);
        command.put("producer_name", PRODUCER);
        command.put("first", first);
        command.put("count", count);
        ask(command);
    }

    /** Begins to consume as a member of a group. */
    void consume(String topic, String group) {
        ask(Map.of("do", "consume", "topic", topic, "group", group), consuming);
    }

    /** What a message of that number is called. */
    static String name(int number) {
        return PRODUCER + ":" + number;
    }

    Set<String> consumed() {
        return consumed;
    }

    /** @throws AssertionError if anything failed that must not */
    Ledger check() {
        if (!faults.isEmpty() || !process.isAlive()) {
            throw new AssertionError(faults + "\n" + process.lastErrors());
        }
        return ledger;
    }

    @Override
    public void close() {
        process.close();
    }
}
