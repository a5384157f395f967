package io.metaq.tck.chaos;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import java.util.Random;

/**
 * The broker's process, over which restarts go. A generation ends when the broker is killed, stopped or frozen, and the next begins when it
 * answers again.
 */
final class BrokerLife implements Activity, AutoCloseable {
    private static final String[] JVM_OPTIONS = {"-Xmx256m"};

    private final BrokerFiles files;
    private final Faults faults;
    private volatile BrokerProcess process;
    private volatile int generation;
    private volatile long upSinceMs;
    private int kills;
    private int stops;
    private int freezes;

    BrokerLife(BrokerFiles files, Faults faults) {
        this.files = files;
        this.faults = faults;
        this.process = BrokerProcess.start(files, JVM_OPTIONS);
        this.upSinceMs = System.currentTimeMillis();
    }

    BrokerProcess process() {
        return process;
    }

    int generation() {
        return generation;
    }

    /** Whether the broker has been there since a generation was read, and is. One of no broker, between two of them, never lives. */
    boolean stillLives(int ofBefore) {
        return ofBefore == generation && isUp();
    }

    boolean isUp() {
        return upSinceMs != Long.MAX_VALUE;
    }

    /** Ms since the epoch; {@link Long#MAX_VALUE} while it is down. */
    long upSinceMs() {
        return upSinceMs;
    }

    /** Bad weather: the broker fails every few seconds, in one way or another. */
    @Override
    public void run(Random random, Ending ending) {
        while (!ending.sendingIsOver()) {
            for (long until = System.currentTimeMillis() + 2_000 + random.nextInt(16_000);
                    System.currentTimeMillis() < until && !ending.sendingIsOver(); ) {
                Scene.pause(50);
            }
            if (!ending.sendingIsOver()) {
                fail(random);
            }
        }
    }

    private void fail(Random random) {
        int way = random.nextInt(10);
        if (way < 6) {
            kills++;
            down();
            process.kill9();
            start();
        } else if (way < 8) {
            restart();
        } else {
            freezes++;
            down();
            process.signal("STOP");
            Scene.pause(500 + random.nextInt(4_000));
            process.signal("CONT");
            up();
        }
    }

    /** Stops it as an operator does, and starts it. */
    void restart() {
        stops++;
        down();
        process.stop();
        start();
    }

    private void down() {
        generation++;
        upSinceMs = Long.MAX_VALUE;
    }

    private void start() {
        try {
            process.close();
            process = BrokerProcess.start(files, JVM_OPTIONS);
        } catch (RuntimeException e) {
            faults.add("the broker did not start: " + e);
            throw e;
        }
        up();
    }

    private void up() {
        generation++;
        upSinceMs = System.currentTimeMillis();
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public String toString() {
        return "%d kills, %d stops, %d freezes of the broker".formatted(kills, stops, freezes);
    }
}
