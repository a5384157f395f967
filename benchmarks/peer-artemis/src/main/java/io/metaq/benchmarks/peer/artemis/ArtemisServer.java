package io.metaq.benchmarks.peer.artemis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;

/**
 * An Artemis broker on loopback. Arguments: an empty directory, a port.
 *
 * <p>Its default journal, ASYNCIO (libaio, O_DIRECT), is its fastest with synced writes. The library comes in a jar and must
 * lie on {@code java.library.path}: the process is started with that path set to {@code native} in its directory. Where
 * the system has no libaio the journal is NIO, which is slower: the log says so.
 */
final class ArtemisServer {

    private static final String LIBRARY = "libartemis-native-64.so";

    private ArtemisServer() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        unpackLibrary(directory);
        boolean asynchronous = LibaioContext.isLoaded();
        System.out.println("journal: " + (asynchronous ? "ASYNCIO" : "NIO, for want of libaio"));
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
        broker.setConfiguration(
                configuration(directory, args[1], asynchronous ? JournalType.ASYNCIO : JournalType.NIO));
        broker.start();
    }

    private static void unpackLibrary(Path directory) throws IOException {
        Path target = Files.createDirectories(directory.resolve("native")).resolve(LIBRARY);
        try (InputStream in = LibaioContext.class.getResourceAsStream("/lib/linux-x86_64/" + LIBRARY)) {
            if (in != null) {
                Files.copy(in, target);
            }
        }
    }

    /** Its defaults, with the sizes that its own {@code artemis create} writes into a new broker's configuration. */
    private static Configuration configuration(Path directory, String port, JournalType journal) throws Exception {
        return new ConfigurationImpl()
                .setSecurityEnabled(false)
                .setPersistenceEnabled(true)
                .setJournalType(journal)
                .setJournalDatasync(true)
                .setJournalPoolFiles(10)
                .setJournalMaxIO_AIO(4096)
                .setJournalDirectory(directory.resolve("journal").toString())
                .setBindingsDirectory(directory.resolve("bindings").toString())
                .setPagingDirectory(directory.resolve("paging").toString())
                .setLargeMessagesDirectory(directory.resolve("large").toString())
                .addAcceptorConfiguration("netty", "tcp://127.0.0.1:" + port + "?protocols=CORE");
    }
}
