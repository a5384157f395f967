package io.metaq.example.plain;

import io.metaq.jms.MetaQXAConnectionFactory;
import java.nio.file.Path;
import org.h2.jdbcx.JdbcDataSource;

/** Books orders until it is stopped. It may be killed at any time: what it was about is finished, or undone, when it runs again. */
public final class Example {

    private static final long WAIT_MS = 1000;

    private Example() {}

    /** @param arguments the broker's URI, such as {@code metaq://localhost:8123}, and a folder for the database and Narayana's log */
    public static void main(String[] arguments) throws Exception {
        MetaQXAConnectionFactory broker = new MetaQXAConnectionFactory(arguments[0]);
        Path folder = Path.of(arguments[1]).toAbsolutePath();
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:file:" + folder.resolve("book"));
        try (Coordinator coordinator = new Coordinator(folder.resolve("log"), "example-1", broker, database);
                Bookkeeper bookkeeper = new Bookkeeper(coordinator.transactions(), broker, database)) {
            while (!Thread.currentThread().isInterrupted()) {
                bookkeeper.bookNext(WAIT_MS);
            }
        }
    }
}
