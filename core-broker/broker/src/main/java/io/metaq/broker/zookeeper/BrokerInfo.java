package io.metaq.broker.zookeeper;

/**
 * What a broker tells the world about itself.
 *
 * @param id the broker's number, not negative, unique in the cluster
 * @param host the advertised host name or address, as clients shall dial it
 * @param port the advertised port
 * @param tlsPort the port for TLS, -1 for none
 * @param configChecksum unsigned CRC-32 of the configuration file; 0 without a file
 */
public record BrokerInfo(int id, String host, int port, int tlsPort, long configChecksum) {
    public BrokerInfo {
        if (id < 0) {
            throw new IllegalArgumentException("brokerId must not be negative: " + id);
        }
    }

    /** The address in the form that every 1.4 client reads: {@code meta://host:port}. */
    public String url() {
        return "meta://" + host + ":" + port;
    }
}
