package io.metaq.client.peer;

import io.metaq.testkit.net.FreePort;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that speaks the protocol by a script: plain sockets, a thread per connection. */
public final class Peer implements AutoCloseable {

    /** What the peer does with a request. */
    @FunctionalInterface
    public interface Script {
        void handle(Frame frame, Session session) throws Exception;
    }

    private final ServerSocket server;
    private final Thread acceptor;
    private final Script script;
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final List<Frame> received = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** One connection. */
    public final class Session {
        private final Socket socket;
        private final OutputStream out;

        Session(Socket socket) throws IOException {
            this.socket = socket;
            this.out = socket.getOutputStream();
        }

        public void result(int code, String text, String opaque) throws IOException {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            write("result " + code + " " + body.length + " " + opaque + "\r\n", body);
        }

        public void value(byte[] body, String opaque) throws IOException {
            write("value " + body.length + " " + opaque + "\r\n", body);
        }

        private synchronized void write(String head, byte[] body) throws IOException {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            whole.write(head.getBytes(StandardCharsets.US_ASCII));
            whole.write(body);
            out.write(whole.toByteArray());
            out.flush();
        }

        public void drop() throws IOException {
            socket.close();
        }

        private void serve() {
            try (socket) {
                BufferedInputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
                for (Frame frame = Frame.read(in); frame != null; frame = Frame.read(in)) {
                    received.add(new Frame(frame.words(), new byte[0]));
                    script.handle(frame, this);
                }
            } catch (IOException e) {
                // The connection ended, which is what many scripts are about.
                sessions.remove(this);
            } catch (Exception e) {
                throw new IllegalStateException("the script failed", e);
            } finally {
                sessions.remove(this);
            }
        }
    }

    public Peer(Script script) throws IOException {
        this(FreePort.find(), script);
    }

    public Peer(int port, Script script) throws IOException {
        this.script = script;
        this.server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        acceptor = new Thread(this::accept, "peer-acceptor");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private void accept() {
        while (!closed) {
            try {
                Session session = new Session(server.accept());
                // Known before its thread runs, so that a close does not miss it.
                sessions.add(session);
                if (closed) {
                    session.drop();
                    return;
                }
                Thread thread = new Thread(session::serve, "peer-session");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                if (!closed) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    /** Requests so far, without bodies. */
    public List<Frame> received() {
        return received;
    }

    public long count(String verb) {
        return received.stream().filter(frame -> frame.verb().equals(verb)).count();
    }

    /** Ends all connections but goes on listening. */
    public void dropAll() throws IOException {
        for (Session session : sessions) {
            session.drop();
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        server.close();
        try {
            acceptor.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        dropAll();
    }
}
