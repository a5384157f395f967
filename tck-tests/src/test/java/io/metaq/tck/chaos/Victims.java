package io.metaq.tck.chaos;

import io.metaq.tck.chaos.Account.Certainty;
import io.metaq.tck.harness.ChildJvm;
import io.metaq.tck.harness.ChildProcess;
import io.metaq.tck.harness.Leashed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Starts clients in processes of their own and kills them. */
final class Victims implements Activity {
    private final Scene scene;
    private final Target target;
    private final Account account;

    Victims(Scene scene, Target target) {
        this.scene = scene;
        this.target = target;
        this.account = target.accounts().get(0);
    }

    @Override
    public void run(Random random, Ending ending) {
        while (!ending.sendingIsOver()) {
            var one = new One();
            List<String> command = ChildJvm.command(
                    ChildJvm.ownClassPath(),
                    List.of("-Xmx128m"),
                    Leashed.class.getName(),
                    List.of(
                            Victim.class.getName(),
                            "metaq://127.0.0.1:" + scene.life().process().port(),
                            target.name()));
            try (var process = ChildProcess.start("victim", command, one::said)) {
                for (long until = System.currentTimeMillis() + 2_000 + random.nextInt(8_000);
                        System.currentTimeMillis() < until && process.isAlive() && !ending.sendingIsOver(); ) {
                    Scene.pause(20);
                }
                process.kill9();
                process.awaitExit(Duration.ofSeconds(10));
                scene.killedClients.incrementAndGet();
            }
            one.isDead();
        }
    }

    /** What one of them has said. */
    private final class One {
        private final List<Label> held = new ArrayList<>();
        private boolean commits;

        synchronized void said(String line) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "shown" -> {
                    Label label = Label.parse(words[1]);
                    account.reported(label);
                    held.add(label);
                }
                case "commits" -> commits = true;
                case "committed" -> end(Certainty.SURE);
                case "failed" -> end(Certainty.UNKNOWN);
                default -> System.err.println("chaos: a victim said " + line);
            }
        }

        private void end(Certainty certainty) {
            commits = false;
            held.forEach(
                    label -> account.acknowledged(label, certainty, scene.life().generation()));
            held.clear();
        }

        /** What it did not begin to commit must come again; what it did, nobody knows. */
        synchronized void isDead() {
            if (commits) {
                end(Certainty.UNKNOWN);
            } else {
                held.forEach(label -> account.returned(label, this));
                held.clear();
            }
        }
    }
}
