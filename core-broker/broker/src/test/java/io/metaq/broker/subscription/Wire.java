package io.metaq.broker.subscription;

import io.metaq.protocol.codec.PercentCode;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection that speaks the protocol as it is written down, with a codec of its own. */
final class Wire implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final AtomicInteger lastOpaque = new AtomicInteger();
    private final AtomicInteger lastConsumer = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
    private final Map<Integer, Inbox> inboxes = new ConcurrentHashMap<>();

    Wire(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        Thread reader = new Thread(this::read, "wire-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            while (true) {
                String[] words = line().split(" ");
                byte[] body = new byte[Integer.parseInt(words[words[0].equals("message") ? 6 : 2])];
                in.readFully(body);
                String text = new String(body, StandardCharsets.UTF_8);
                switch (words[0]) {
                    case "result" -> {
                        CompletableFuture<String> waiting = asked.remove(Integer.parseInt(words[3]));
                        if (waiting != null) {
                            waiting.complete(words[1] + " " + text);
                        }
                    }
                    case "message" ->
                        inbox(words[1])
                                .delivered(
                                        Integer.parseInt(words[2]),
                                        Long.parseLong(words[3]),
                                        Integer.parseInt(words[5]),
                                        ByteBuffer.wrap(body));
                    default -> inbox(words[1]).detached.add(text);
                }
            }
        } catch (IOException e) {
            asked.values().forEach(waiting -> waiting.completeExceptionally(e));
        }
    }

    private Inbox inbox(String consumer) {
        return inboxes.computeIfAbsent(Integer.parseInt(consumer), number -> new Inbox());
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended");
            }
            line.append((char) c);
        }
        return line.toString().trim();
    }

    /** Asks without waiting; {@code OPQ} in the line stands for the opaque. */
    CompletableFuture<String> begin(String line, byte[] body) {
        int opaque = lastOpaque.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        asked.put(opaque, answer);
        say(line.replace("OPQ", Integer.toString(opaque)), body);
        return answer;
    }

    synchronized void say(String line, byte[] body) {
        byte[] head = (line + "\r\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer all =
                ByteBuffer.allocate(head.length + body.length).put(head).put(body);
        try {
            socket.getOutputStream().write(all.array());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Code and text of the answer. */
    String ask(String line) {
        return get(begin(line, new byte[0]));
    }

    static String get(CompletableFuture<String> answer) {
        try {
            return answer.get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    Seat queue(String queue, Inbox inbox) {
        return attach("queue:" + queue, queue, "queue", "", inbox);
    }

    Seat attach(String name, String topic, String kind, String options, Inbox inbox) {
        int consumer = lastConsumer.incrementAndGet();
        inboxes.put(consumer, inbox);
        String answer = ask("attach " + consumer + " " + PercentCode.encode(name) + " OPQ topic=" + topic + " kind="
                + kind + (options.isEmpty() ? "" : " " + options));
        if (!answer.startsWith("200")) {
            throw new IllegalStateException(answer);
        }
        return new Seat(consumer);
    }

    static String selector(String text) {
        return "selector=" + PercentCode.encode(text);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** An attached consumer. */
    final class Seat {
        private final int number;

        Seat(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        void credit(int messages) {
            say("credit " + number + " " + messages + " 1000000", new byte[0]);
        }

        int drain(int messages) {
            return Integer.parseInt(
                    ask("drain " + number + " " + messages + " OPQ").substring(4));
        }

        /** How many were acknowledged and how many missed. */
        String ack(String ranges) {
            return ask("ack " + number + " " + ranges + " OPQ");
        }

        String reject(String ranges) {
            return ask("reject " + number + " " + ranges + " OPQ");
        }

        String detach() {
            return ask("detach " + number + " OPQ");
        }
    }
}
