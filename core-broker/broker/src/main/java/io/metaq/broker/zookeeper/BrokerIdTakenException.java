package io.metaq.broker.zookeeper;

/** Another broker is registered under this broker's id. A person has to act: one of the two needs another id. */
public final class BrokerIdTakenException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    BrokerIdTakenException(int brokerId, String zooKeeper, String holder, long session) {
        super("brokerId " + brokerId + " is taken in ZooKeeper " + zooKeeper + " by " + holder + " (session 0x"
                + Long.toHexString(session) + "): give this broker another brokerId or stop the other one."
                + " If the other one has just died, its entry goes when its session times out; start again then");
    }
}
