package io.metaq.testkit.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** For programs that cannot choose a free port themselves, and for restarts on the port of before. */
public final class FreePort {
    private FreePort() {}

    /**
     * A port below those that the system gives out by itself: one of those could be taken by somebody's connection while
     * a server is down, and it could not come back.
     */
    public static int find() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (BindException e) {
                // Somebody has it: the next one.
                continue;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
