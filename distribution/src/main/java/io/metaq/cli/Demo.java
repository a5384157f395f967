package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The course of the demo: send, kill, start again, send the rest, read everything, compare. */
final class Demo {
    private static final String TOPIC = "demo";

    private final Terminal terminal;
    private final DemoBroker broker;
    private final List<DemoFile> files;
    private final int partitions;

    Demo(Terminal terminal, DemoBroker broker, List<DemoFile> files, int partitions) {
        this.terminal = terminal;
        this.broker = broker;
        this.files = files;
        this.partitions = partitions;
    }

    /** True if every file came back as it was sent. */
    boolean run() throws IOException, InterruptedException {
        RunningBroker first = broker.start();
        terminal.print("broker: pid %d, address %s, data in %s", first.pid(), first.address(), broker.directory());
        try (MetaqClient client = MetaqClient.builder()
                .servers(first.address())
                .requestTimeout(Duration.ofSeconds(30))
                .name("metaq-demo")
                .build()) {
            client.admin().createTopic(TOPIC, partitions, Map.of());
            send(client, first.pid());
            receive(client);
        }
        return report();
    }

    private void send(MetaqClient client, long pid) throws IOException, InterruptedException {
        DemoSending sending = new DemoSending(client, TOPIC, files);
        Progress progress = new Progress(terminal, terminal.interactive());
        CompletableFuture<Void> restart = new CompletableFuture<>();
        String rate = sending.run(
                () -> {
                    progress.clear();
                    long stored = sending.stored();
                    terminal.print(
                            "kill -9 %d: %,d messages are acknowledged, %,d on their way",
                            pid, stored, sending.handedOver() - stored);
                    killAndStart(restart);
                },
                () -> progress.update(() -> "sending: " + sending.rate()));
        progress.clear();
        await(restart);
        terminal.print("sent %s, durable on disk, the outage included", rate);
    }

    /** Sending goes on meanwhile: that the broker is away is what the producer has to live with. */
    private void killAndStart(CompletableFuture<Void> restart) throws InterruptedException {
        broker.kill();
        long killed = System.nanoTime();
        Thread starter = new Thread(
                () -> {
                    try {
                        RunningBroker again = broker.start();
                        terminal.print(
                                "broker again: pid %d, address %s, serving %.1f s after the kill",
                                again.pid(), again.address(), (System.nanoTime() - killed) / 1e9);
                        restart.complete(null);
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        restart.completeExceptionally(e);
                    }
                },
                "metaq-demo-restart");
        starter.setDaemon(true);
        starter.start();
    }

    private static void await(CompletableFuture<Void> restart) throws IOException {
        try {
            restart.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof CommandFailedException failure) {
                throw failure;
            }
            throw new IOException("the broker did not start again: " + e.getCause(), e);
        }
    }

    private void receive(MetaqClient client) {
        Progress progress = new Progress(terminal, terminal.interactive());
        DemoReceiving receiving = new DemoReceiving(client, TOPIC, files);
        try {
            receiving.run(() -> progress.update(() -> "receiving: " + receiving.rate()));
        } catch (MetaqException e) {
            progress.clear();
            throw e;
        }
        progress.clear();
        terminal.print("received %s", receiving.rate());
    }

    private boolean report() {
        terminal.print("%n%10s %10s %8s  %s", "SENT", "RECEIVED", "SHA-256", "FILE");
        long sent = 0;
        long received = 0;
        int agreeing = 0;
        for (DemoFile file : files) {
            boolean agrees = file.agrees();
            agreeing += agrees ? 1 : 0;
            sent += file.sent().lines();
            received += file.received().lines();
            terminal.print(
                    "%10d %10d %8s  %s",
                    file.sent().lines(), file.received().lines(), agrees ? "agrees" : "DIFFERS", file.name());
        }
        terminal.print(
                "%n%,d of %,d files agree; %,d lines sent, %,d received", agreeing, files.size(), sent, received);
        return agreeing == files.size();
    }
}
