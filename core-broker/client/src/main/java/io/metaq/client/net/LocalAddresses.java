package io.metaq.client.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whether a broker runs on this machine. Looks at literal addresses and at this machine's own names only: no name service. */
public final class LocalAddresses {

    private static final Logger LOG = LoggerFactory.getLogger(LocalAddresses.class);

    private LocalAddresses() {}

    /** Whether the host is loopback or an address of one of this machine's interfaces. */
    public static boolean isLocal(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        if (!isLiteral(host)) {
            return false;
        }
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException | SocketException e) {
            LOG.debug("cannot tell whether {} is this machine", host, e);
            return false;
        }
    }

    /** Where to connect, in this order: loopback first for a broker on this machine. */
    static List<InetSocketAddress> candidates(String host, int port, boolean preferLoopback) {
        InetSocketAddress advertised = InetSocketAddress.createUnresolved(host, port);
        if (!preferLoopback || host.equals("127.0.0.1") || host.equals("::1") || !isLocal(host)) {
            return List.of(advertised);
        }
        return List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), advertised);
    }

    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }
}
