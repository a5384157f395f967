package io.metaq.benchmarks.peer.activemq;

import java.nio.file.Path;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.activemq.store.kahadb.disk.journal.Journal;

/**
 * A Classic broker over KahaDB on loopback, with its defaults (a sync for every write); with {@code -Dclassic.dispatch=stored} it delivers
 * what is stored, not meanwhile. Arguments: an empty directory, a port.
 */
final class ActiveMqServer {

    private ActiveMqServer() {}

    public static void main(String[] args) throws Exception {
        KahaDBPersistenceAdapter store = new KahaDBPersistenceAdapter();
        store.setDirectory(Path.of(args[0], "kahadb").toFile());
        store.setJournalDiskSyncStrategy(Journal.JournalDiskSyncStrategy.ALWAYS.name());
        if ("stored".equals(System.getProperty("classic.dispatch"))) {
            store.setConcurrentStoreAndDispatchQueues(false);
        }
        BrokerService broker = new BrokerService();
        broker.setDataDirectory(args[0]);
        broker.setUseJmx(false);
        broker.setPersistenceAdapter(store);
        broker.addConnector("tcp://127.0.0.1:" + args[1]);
        broker.start();
        broker.waitUntilStopped();
    }
}
