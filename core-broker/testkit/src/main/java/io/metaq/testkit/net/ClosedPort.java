package io.metaq.testkit.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A loopback address that refuses connections as long as this is open: a port that nobody else can take and nobody listens at. */
public final class ClosedPort implements AutoCloseable {
    private final Socket holder = new Socket();

    public ClosedPort() throws IOException {
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** {@code host:port} to connect to. */
    public String address() {
        return "127.0.0.1:" + holder.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
