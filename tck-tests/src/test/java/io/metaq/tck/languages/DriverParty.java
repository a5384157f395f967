package io.metaq.tck.languages;

import io.metaq.tck.harness.ChildProcess;
import io.metaq.testkit.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of another language, in a process of its own. */
final class DriverParty implements Party {
    private static final int PATIENCE_S = 120;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final ChildProcess process;

    DriverParty(Language language, int port) {
        process = language.start(lines::add);
        ask(Map.of("do", "connect", "server", "127.0.0.1:" + port));
        answer("connected");
    }

    /** Tells the program what to do. */
    void ask(Map<String, ?> command) {
        process.send(Json.write(command));
    }

    /** The next thing that the program says, which has to be of that name. */
    @Nullable
    Object answer(String name) {
        Map<String, Object> said = next();
        if (!said.containsKey(name)) {
            throw new IllegalStateException(
                    "instead of '" + name + "' the program says " + said + "\n" + process.lastErrors());
        }
        return said.get(name);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> next() {
        try {
            String line = lines.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (line == null || !line.startsWith("{")) {
                throw new IllegalStateException("the program says " + line + "\n" + process.lastErrors());
            }
            return (Map<String, Object>) Json.parse(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void send(String queue, List<Described> messages) {
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("do", "send");
        command.put("queue", queue);
        command.put("messages", messages.stream().map(Described::toJson).toList());
        ask(command);
        answer("sent");
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Described> receive(String queue, int count) {
        ask(Map.of("do", "receive", "queue", queue, "count", count));
        List<Described> received = new ArrayList<>();
        while (received.size() < count) {
            Object message = answer("received");
            if (message == null) {
                break;
            }
            received.add(Described.fromJson((Map<String, Object>) message));
        }
        return received;
    }

    @Override
    public void close() {
        process.close();
    }
}
