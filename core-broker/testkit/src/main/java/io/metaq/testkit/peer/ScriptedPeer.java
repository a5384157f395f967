package io.metaq.testkit.peer;

import io.metaq.testkit.net.FreePort;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A broker on a loopback port whose every word is scripted. Answers are given by verb: those queued with {@link #next} once each and
 * in order, then the one set with {@link #always}. A request without an answer closes its connection and fails {@link #close}, and so
 * does an exception in an answer, so that no test passes because the peer went silent.
 *
 * <pre>
 * try (ScriptedPeer peer = ScriptedPeer.start()) {
 *     peer.always("version", Answer.version2(0, "append"));
 *     peer.next("append", Answer.reset());                          // the first is lost
 *     peer.always("append", Answer.result(200, "1 0 0"));           // and comes again
 *     … a client connects to peer.port() …
 *     assertThat(peer.await("append", 2).get(1).option("seq")).isEqualTo("0");
 * }
 * </pre>
 */
public final class ScriptedPeer implements AutoCloseable {
    private final ServerSocket server;
    private final Map<String, Queue<Answer>> once = new HashMap<>();
    private final Map<String, Answer> always = new HashMap<>();
    private final List<PeerRequest> received = new ArrayList<>();
    private final List<PeerConnection> connections = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean stopped;

    private ScriptedPeer(ServerSocket server) {
        this.server = server;
    }

    public static ScriptedPeer start() {
        return start(FreePort.find());
    }

    /** Listens on a given port: for a broker that comes back where it was. */
    public static ScriptedPeer start(int port) {
        try {
            ServerSocket server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
            ScriptedPeer peer = new ScriptedPeer(server);
            daemon("peer-accept-" + server.getLocalPort(), peer::accept);
            return peer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /** {@code host:port}, as clients are told it. */
    public String address() {
        return server.getInetAddress().getHostAddress() + ":" + port();
    }

    /** Answers every request of the verb that no {@link #next} answers. */
    public synchronized ScriptedPeer always(String verb, Answer answer) {
        always.put(verb, answer);
        return this;
    }

    /** Answers the next request of the verb, after those already queued. */
    public synchronized ScriptedPeer next(String verb, Answer answer) {
        once.computeIfAbsent(verb, v -> new ArrayDeque<>()).add(answer);
        return this;
    }

    /** Everything received so far, over all connections. */
    public synchronized List<PeerRequest> received() {
        return List.copyOf(received);
    }

    public synchronized List<PeerRequest> received(String verb) {
        return received.stream().filter(request -> request.verb().equals(verb)).toList();
    }

    /** Waits until so many requests of the verb have come, and gives them. */
    public List<PeerRequest> await(String verb, int count) {
        awaitUntil(count + " x " + verb, all -> received(verb).size() >= count);
        return received(verb);
    }

    /** Waits until so many connections were made since the start. */
    public void awaitConnections(int count) {
        awaitUntil(count + " connections", all -> connections.size() >= count);
    }

    /** How many connections were made since the start. */
    public synchronized int connections() {
        return connections.size();
    }

    /** Ends all connections as by a broker that dies; the peer goes on listening. */
    public synchronized void resetConnections() {
        connections.forEach(PeerConnection::reset);
    }

    private synchronized void awaitUntil(String what, Predicate<ScriptedPeer> condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.test(this)) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0 || !failures.isEmpty()) {
                throw new AssertionError("waited for " + what + ", received " + received, failure());
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + what, e);
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                PeerConnection connection = new PeerConnection(socket);
                synchronized (this) {
                    connections.add(connection);
                    notifyAll();
                }
                daemon("peer-" + port() + "-" + socket.getPort(), () -> serve(socket, connection));
            }
        } catch (IOException e) {
            fail(e, server.isClosed());
        }
    }

    private void serve(Socket socket, PeerConnection connection) {
        try {
            RequestReader reader = new RequestReader(new BufferedInputStream(socket.getInputStream()));
            for (PeerRequest request = reader.read(); request != null; request = reader.read()) {
                answerTo(request).give(request, connection);
            }
        } catch (IOException | UncheckedIOException e) {
            // A client may leave at any time: what a test expects of it shows in what was received.
            fail(e, true);
        } catch (RuntimeException | AssertionError e) {
            fail(e, false);
        } finally {
            // Last, so that a client that sees the end can rely on the failure being known.
            connection.close();
        }
    }

    private synchronized Answer answerTo(PeerRequest request) {
        received.add(request);
        notifyAll();
        Queue<Answer> queued = once.get(request.verb());
        Answer answer = queued == null || queued.isEmpty() ? always.get(request.verb()) : queued.remove();
        if (answer == null) {
            throw new AssertionError("nothing is scripted for " + request);
        }
        return answer;
    }

    private synchronized void fail(Throwable failure, boolean expected) {
        if (!stopped && !expected) {
            failures.add(failure);
        }
        notifyAll();
    }

    private @Nullable Throwable failure() {
        return failures.isEmpty() ? null : failures.get(0);
    }

    /** @throws AssertionError if a request came that nothing was scripted for, or an answer failed */
    @Override
    public void close() {
        synchronized (this) {
            stopped = true;
            connections.forEach(PeerConnection::close);
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        synchronized (this) {
            if (!failures.isEmpty()) {
                throw new AssertionError(
                        "the script was not followed: " + failures.get(0).getMessage(), failures.get(0));
            }
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
