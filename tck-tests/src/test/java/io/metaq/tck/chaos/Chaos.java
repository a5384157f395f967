package io.metaq.tck.chaos;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.chaos.Target.Kind;
import io.metaq.tck.harness.BrokerFiles;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The course of it: a storm, in which the broker and clients are killed; then one broker's undisturbed life, at the beginning and the end of
 * which its heap and open files are compared. Both end with empty queues.
 */
final class Chaos implements AutoCloseable {
    private static final long EMPTYING_MS = 90_000;
    private static final double HEAP_GROWTH = 1.25;
    private static final long HEAP_SLACK = 12_000_000;
    private static final long FILE_SLACK = 24;

    private final Faults faults = new Faults();
    private final BrokerLife life;
    private final Scene scene;
    private final int load;
    private final List<Account> accounts = new ArrayList<>();
    private final Target any = queue("any", Kind.ANY, false, 1);
    private final Target ordered = queue("ordered", Kind.PRIORITIES, true, 1);
    private final Target parts = queue("parts", Kind.ANY, false, 3);
    private final Target groups = queue("groups", Kind.GROUPS, true, 1);
    private final Target poison = queue("poison", Kind.POISON, false, 1);
    private final Target victims = queue("victims", Kind.PLAIN, false, 1);
    private final Target topic = topic();
    private final DeadLetters deadLetters;
    private final Watchdog watchdog;
    private long seed;

    /** @param load how much: 1 for a machine that does other things too */
    Chaos(BrokerFiles files, long seed, int load) {
        this.life = new BrokerLife(files, faults);
        var factory = new MetaQConnectionFactory("metaq://127.0.0.1:" + files.port());
        this.scene = new Scene(factory, faults, life);
        this.seed = seed;
        this.load = load;
        this.deadLetters = new DeadLetters(scene, accounts);
        this.watchdog = new Watchdog(scene, accounts);
    }

    private Target queue(String name, Kind kind, boolean inOrder, int partCount) {
        List<Account> own = new ArrayList<>();
        for (int part = 0; part < partCount; part++) {
            own.add(account(partCount == 1 ? name : name + " " + part, inOrder));
        }
        return new Target("chaos." + name, false, kind, own);
    }

    private Target topic() {
        return new Target(
                "chaos.topic", true, Kind.PRIORITIES, List.of(account("durable", true), account("shared", false)));
    }

    private Account account(String name, boolean inOrder) {
        var account = new Account(name, inOrder, faults);
        accounts.add(account);
        return account;
    }

    Faults faults() {
        return faults;
    }

    void run(long durationMs) throws JMSException {
        subscribe();
        act(durationMs * 6 / 10, true);
        life.restart();
        scene.expectCalm();
        act(durationMs / 10, false);
        Gauge before = Gauge.of(life.process().pid());
        act(durationMs * 3 / 10, false);
        Gauge after = Gauge.of(life.process().pid());
        System.out.printf("before the calm: %s%nafter it:        %s%n", before, after);
        if (after.heapBytes() > before.heapBytes() * HEAP_GROWTH + HEAP_SLACK) {
            faults.add("the heap grew: " + before + " then " + after);
        }
        if (after.openFiles() > before.openFiles() + FILE_SLACK) {
            faults.add("files stay open: " + before + " then " + after);
        }
    }

    /** A subscription must be there before what it is owed is sent. */
    private void subscribe() throws JMSException {
        for (Source source : subscriptions()) {
            Connection connection = scene.connect();
            try {
                source.identify(connection);
                source.consumer(connection.createSession(false, Session.AUTO_ACKNOWLEDGE));
            } finally {
                scene.close(connection);
            }
        }
    }

    private List<Source> subscriptions() {
        return List.of(Source.durable(topic, 0, "alone", false), Source.durable(topic, 1, "together", true));
    }

    private void act(long ms, boolean storm) {
        var crowd = new Crowd(seed++, faults);
        receive(crowd);
        send(crowd);
        crowd.start("watchdog", watchdog);
        if (storm) {
            crowd.start("weather", life);
        }
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (System.nanoTime() - until < 0 && faults.count() == 0) {
            Scene.pause(50);
        }
        crowd.endSending();
        empty();
        crowd.end();
        System.out.printf("%s: %s%n%s", storm ? "storm" : "calm", life, this);
    }

    private void receive(Crowd crowd) {
        crowd.start("receiver of any", 3, () -> receiving(Source.queue(any), 15_000));
        crowd.start("receiver of ordered", receiving(Source.queue(ordered), 8_000));
        for (int part = 0; part < parts.accounts().size(); part++) {
            crowd.start("receiver of part " + part, receiving(Source.part(parts, part), 20_000));
        }
        crowd.start("receiver of groups", 3, () -> receiving(Source.queue(groups), 20_000));
        crowd.start("receiver of poison", receiving(Source.queue(poison), 20_000));
        crowd.start("receiver of victims", receiving(Source.queue(victims), 20_000));
        List<Source> subscriptions = subscriptions();
        crowd.start("subscriber", receiving(subscriptions.get(0), 8_000));
        crowd.start("sharer", 2, () -> receiving(subscriptions.get(1), 15_000));
        crowd.start("dead letters", deadLetters);
    }

    private Receiving receiving(Source source, int longestLifeMs) {
        return new Receiving(scene, source, longestLifeMs);
    }

    private void send(Crowd crowd) {
        int pauseMs = Math.max(1, 20 / load);
        crowd.start("sender to any", 2, () -> new Sending(scene, any, pauseMs));
        crowd.start("sender to ordered", new Sending(scene, ordered, pauseMs));
        crowd.start("sender to parts", new Sending(scene, parts, pauseMs));
        crowd.start("sender to groups", new Sending(scene, groups, pauseMs));
        crowd.start("sender to poison", new Sending(scene, poison, 5 * pauseMs));
        crowd.start("sender to victims", new Sending(scene, victims, pauseMs));
        crowd.start("sender to topic", new Sending(scene, topic, pauseMs));
        crowd.start("temporary queues", 4, () -> new TemporaryQueues(scene, 150));
        crowd.start("browser", new Browsing(scene, any));
        crowd.start("victims", new Victims(scene, victims));
    }

    private void empty() {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EMPTYING_MS);
        while (owed() > 0 && System.nanoTime() - until < 0) {
            Scene.pause(50);
        }
        for (Account account : accounts) {
            if (account.owed() > 0) {
                faults.add("%s: %d messages that were sent did not come:%s%n%s"
                        .formatted(account.name(), account.owed(), account.someOwed(), watchdog.explanation()));
            }
        }
    }

    private int owed() {
        return accounts.stream().mapToInt(Account::owed).sum();
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        accounts.forEach(account -> text.append("  ").append(account).append('\n'));
        return text.append(
                        "  %d dead letters, %d temporary queues, %d clients killed, %d calls failed, longest wait %d ms%n"
                                .formatted(
                                        deadLetters.count(),
                                        scene.temporaryQueues.get(),
                                        scene.killedClients.get(),
                                        scene.failedCalls.get(),
                                        watchdog.longestWaitMs()))
                .toString();
    }

    @Override
    public void close() {
        life.close();
    }
}
