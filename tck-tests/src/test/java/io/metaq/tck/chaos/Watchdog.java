package io.metaq.tck.chaos;

import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Watches from outside that no consumer waits while a message is ready for it, and that the broker never counts below zero. What it finds it
 * has the broker explain.
 */
final class Watchdog implements Activity {
    private static final long LONGEST_WAIT_MS = 10_000;
    private static final Pattern NEGATIVE = Pattern.compile("(depth|consumers|ready|leased|delayed|credit) -\\d");

    private final Scene scene;
    private final List<Account> accounts;
    private long longestWaitMs;
    private boolean reported;

    Watchdog(Scene scene, List<Account> accounts) {
        this.scene = scene;
        this.accounts = accounts;
    }

    long longestWaitMs() {
        return longestWaitMs;
    }

    @Override
    public void run(Random random, Ending ending) {
        while (!ending.allIsOver()) {
            Scene.pause(500);
            long now = System.currentTimeMillis();
            long since = scene.life().upSinceMs();
            for (Account account : accounts) {
                account.sweep(now, scene.life()::stillLives);
                watch(account, account.waitedInVainMs(now, since));
            }
            if (scene.life().isUp()) {
                countersAreNotNegative();
            }
        }
    }

    private void watch(Account account, long waitedMs) {
        longestWaitMs = Math.max(longestWaitMs, waitedMs);
        if (waitedMs > LONGEST_WAIT_MS && !reported) {
            reported = true;
            scene.faults()
                    .add("a consumer of %s waits for %d ms while these are ready:%s%n%s"
                            .formatted(account.name(), waitedMs, account.someOwed(), explanation()));
        }
    }

    private void countersAreNotNegative() {
        for (String line : ask("subscription list *")) {
            if (NEGATIVE.matcher(line).find()) {
                scene.faults().add("a counter below zero: " + line);
            }
        }
    }

    /** What the broker says of its subscriptions, and what its threads do. */
    String explanation() {
        var text = new StringBuilder();
        for (String line : ask("subscription list *")) {
            text.append(line).append('\n');
            String name = line.split(" ", 2)[0];
            ask("subscription describe " + name)
                    .forEach(say -> text.append("    ").append(say).append('\n'));
            ask("subscription explain " + name)
                    .forEach(say -> text.append("    ").append(say).append('\n'));
        }
        Gauge.threads(scene.life().process().pid())
                .forEach(say -> text.append(say).append('\n'));
        return text.toString();
    }

    /** Nothing if the broker goes away while it is asked. */
    private List<String> ask(String command) {
        try (Wire wire = scene.life().process().wire()) {
            Wire.Reply reply = wire.ask(command);
            return reply.text().lines().filter(line -> !line.isBlank()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
