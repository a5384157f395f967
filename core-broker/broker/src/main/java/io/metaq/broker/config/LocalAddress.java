package io.metaq.broker.config;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;

/** Which address of this machine others can reach. */
final class LocalAddress {
    private LocalAddress() {}

    /** The address itself, or for the wildcard address the first IPv4 address that is not loopback. */
    static String reachable(String bindAddress) {
        if (!isWildcard(bindAddress)) {
            return bindAddress;
        }
        return firstOutward().map(InetAddress::getHostAddress).orElse("127.0.0.1");
    }

    static boolean isWildcard(String address) {
        try {
            return InetAddress.getByName(address).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            // binding to it will fail with a message of its own
            return false;
        }
    }

    private static Optional<InetAddress> firstOutward() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .findFirst();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }
}
