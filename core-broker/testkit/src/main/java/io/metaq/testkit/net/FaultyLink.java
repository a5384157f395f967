package io.metaq.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A loopback address that leads to another one, until it is told not to. Silenced, it behaves as a network that drops
 * packets: connections stand, new ones come about, and not a byte gets through; healed, the bytes held back arrive, as
 * they do when TCP sends them again. Losing answers, it is one of which the far end dies just before it answers, once it is
 * cut: what was asked got through.
 */
public final class FaultyLink implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Object gate = new Object();
    private boolean silent;
    private boolean losing;
    private long lost;
    private boolean closed;

    /** Leads to a port of this machine. */
    public FaultyLink(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** {@code host:port} to connect to. */
    public String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    public void silence() {
        synchronized (gate) {
            silent = true;
        }
    }

    /** From now on nothing comes back, for good: a connection that lost something is to be cut after the link is healed. */
    public void loseAnswers() {
        synchronized (gate) {
            losing = true;
            lost = 0;
        }
    }

    /** Bytes that came back and were thrown away since {@link #loseAnswers}. */
    public long lost() {
        synchronized (gate) {
            return lost;
        }
    }

    private boolean loses(int bytes) {
        synchronized (gate) {
            lost += losing ? bytes : 0;
            return losing;
        }
    }

    public void heal() {
        synchronized (gate) {
            losing = false;
            silent = false;
            gate.notifyAll();
        }
    }

    /** Breaks all connections; new ones are still made. */
    public void cut() {
        sockets.forEach(FaultyLink::close);
    }

    @Override
    public void close() throws IOException {
        synchronized (gate) {
            closed = true;
            gate.notifyAll();
        }
        listener.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listener.accept();
                sockets.add(near);
                start(() -> join(near));
            }
        } catch (IOException e) {
            cut(); // closed: the way to end this thread
        }
    }

    private void join(Socket near) {
        try {
            awaitOpen();
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(far);
            start(() -> pump(far, near, true));
            pump(near, far, false);
        } catch (IOException e) {
            end(near); // the target refuses: so does the link
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                awaitOpen();
                if (!answers || !loses(n)) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException e) {
            end(from); // one side is gone: the other one follows
        } finally {
            end(from);
            end(to);
        }
    }

    private void awaitOpen() throws IOException {
        synchronized (gate) {
            while (silent && !closed) {
                try {
                    gate.wait();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            if (closed) {
                throw new IOException("closed");
            }
        }
    }

    private void end(Socket socket) {
        close(socket);
        sockets.remove(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "faulty-link");
        thread.setDaemon(true);
        thread.start();
    }
}
