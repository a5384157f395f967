package io.metaq.xa.narayana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.client.MetaqClient;
import io.metaq.client.TransactionAdmin;
import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.recovery.ReconnectingXaResource;
import io.metaq.testkit.net.FreePort;
import jakarta.jms.JMSContext;
import jakarta.jms.XASession;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications die within transactions over queues and a database; this process is them when they are started again. The broker is
 * restarted in between, so that what is prepared is what it has on its disk.
 */
class CrashTest {
    private static final String NODE = "crash-1";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path dir;

    private static int port;
    private static Broker broker;
    private static MetaQXAConnectionFactory queues;
    private static RecoveryManager recovery;
    private static MetaqRecovery registered;

    @BeforeAll
    static void start() throws Exception {
        port = FreePort.find();
        broker = startBroker();
        queues = new MetaQXAConnectionFactory("metaq://127.0.0.1:" + port);
        recovery = NarayanaSetUp.start(dir.resolve("log"), NODE);
        registered = MetaqRecovery.register(queues);
    }

    private static Broker startBroker() throws Exception {
        return Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(port)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .build());
    }

    @AfterAll
    static void stop() {
        registered.close();
        recovery.terminate(true);
        broker.close();
    }

    /** Those that the crash matrix of tck-tests does not have by default; all of them in its long run, {@code crash-xa}. */
    static List<Arguments> crashes() {
        List<Arguments> crashes = new ArrayList<>(List.of(
                Arguments.of("database,bomb,broker", "PREPARE", false),
                Arguments.of("database,broker,bomb", "PREPARE", false),
                Arguments.of("database,bomb,broker", "COMMIT", true),
                Arguments.of("broker,database,bomb", "COMMIT", true)));
        if (Integer.getInteger("tck.crash-xa.rounds", 0) > 0) {
            crashes.addAll(List.of(
                    Arguments.of("bomb,broker,database", "PREPARE", false),
                    Arguments.of("broker,bomb,database", "PREPARE", false),
                    Arguments.of("broker,database,bomb", "PREPARE", false),
                    Arguments.of("bomb,database,broker", "PREPARE", false),
                    Arguments.of("bomb,broker,database", "COMMIT", true),
                    Arguments.of("broker,bomb,database", "COMMIT", true),
                    Arguments.of("bomb,database,broker", "COMMIT", true),
                    Arguments.of("database,broker,bomb", "COMMIT", true)));
        }
        return crashes;
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void shouldFinishOnBothSidesOrOnNone(String order, String step, boolean committed) throws Exception {
        String name = order.replace(',', '-') + '-' + step;
        Path folder = Files.createDirectories(dir.resolve(name));
        JdbcDataSource database = tableIn(folder);
        send("in-" + name, name);

        crash(folder, dir.resolve("log"), NODE, name, order, step);
        broker.close();
        broker = startBroker();
        boolean rowDone = committed && order.indexOf("database") < order.indexOf("bomb");
        recover(database, rowDone ? 1 : 0);

        assertThat(rows(database)).containsExactlyElementsOf(committed ? List.of(name) : List.of());
        assertThat(received("out-" + name)).containsExactlyElementsOf(committed ? List.of(name) : List.of());
        assertThat(received("in-" + name)).containsExactlyElementsOf(committed ? List.of() : List.of(name));
    }

    @Test
    void shouldLeaveOthersAlone() throws Exception {
        Path folder = Files.createDirectories(dir.resolve("others"));
        tableIn(folder);
        send("in-others", "text");

        crash(folder, dir.resolve("others-log"), "others-1", "others", "broker,database,bomb", "PREPARE");
        recovery.scan();
        recovery.scan();

        assertThat(inDoubt()).hasSize(1);
        assertThat(received("in-others")).isEmpty();
        ReconnectingXaResource.of(queues.options()).rollback(inDoubt()[0]);
        assertThat(received("in-others")).containsExactly("text");
    }

    @Test
    void shouldWaitForABrokerThatIsAway() throws Exception {
        Path folder = Files.createDirectories(dir.resolve("away"));
        JdbcDataSource database = tableIn(folder);
        send("in-away", "away");
        crash(folder, dir.resolve("log"), NODE, "away", "bomb,broker,database", "COMMIT");

        broker.close();
        recovery.scan();
        broker = startBroker();
        recover(database, 0);

        assertThat(rows(database)).containsExactly("away");
        assertThat(received("out-away")).containsExactly("away");
    }

    /** The operator thinks that the coordinator is gone, between its decision and the second commit; it is not. */
    @Test
    void shouldReportThatAnOperatorRolledBackWhatIsCommitted() throws Exception {
        assertThatThrownBy(() -> commitBeside(TransactionAdmin::rollback))
                .isInstanceOfAny(HeuristicMixedException.class, HeuristicRollbackException.class);
        assertThat(received("decided")).isEmpty();
        try (MetaqClient client = client()) {
            TransactionAdmin admin = client.admin().transactions();
            for (TransactionAdmin.TransactionSummary left : admin.list("*")) {
                assertThat(left.phase()).isEqualTo("heuristically-rolled-back");
                admin.forget(left.key());
            }
        }
        assertThat(inDoubt()).isEmpty();
    }

    @Test
    void shouldBeContentWhenAnOperatorCommittedWhatIsCommitted() throws Exception {
        commitBeside(TransactionAdmin::commit);
        assertThat(received("decided")).containsExactly("text");
        recovery.scan();
        assertThat(inDoubt()).as("what the coordinator knows is forgotten").isEmpty();
    }

    /** Commits a message with another resource, whose commit comes first: an operator decides about the message in that moment. */
    private static void commitBeside(BiConsumer<TransactionAdmin, String> decision) throws Exception {
        TransactionManager transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
        try (MetaqClient client = client();
                jakarta.jms.XAConnection connection = queues.createXAConnection()) {
            TransactionAdmin admin = client.admin().transactions();
            XASession session = connection.createXASession();
            transactions.begin();
            transactions
                    .getTransaction()
                    .enlistResource(new Deciding(
                            () -> decision.accept(admin, admin.list("*").get(0).key())));
            transactions.getTransaction().enlistResource(session.getXAResource());
            session.createProducer(session.createQueue("decided")).send(session.createTextMessage("text"));
            transactions.commit();
        }
    }

    private static MetaqClient client() {
        return MetaqClient.builder().servers("127.0.0.1:" + port).build();
    }

    private static JdbcDataSource tableIn(Path folder) throws SQLException {
        JdbcDataSource database = CrashingApplication.database(folder);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table moved (name varchar primary key)");
        }
        return database;
    }

    private static void crash(Path folder, Path log, String node, String name, String order, String step)
            throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingApplication.class.getName(),
                        "metaq://127.0.0.1:" + port,
                        folder.toString(),
                        log.toString(),
                        node,
                        name,
                        order,
                        step)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        boolean ended = application.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            application.destroyForcibly().waitFor();
        }
        assertThat(ended && application.exitValue() == Bomb.EXIT_CODE)
                .as(Files.readString(said))
                .isTrue();
    }

    /**
     * Passes until nothing is in doubt, at the broker, in the database and in Narayana's log.
     *
     * @param left entries that stay in the log: the database's resource is not serializable, so that a branch of it that was committed
     *     before the crash is looked for for ever
     */
    private static void recover(JdbcDataSource database, int left) throws Exception {
        XAConnection connection = database.getXAConnection();
        XAResource rows = connection.getXAResource();
        XAResourceRecoveryHelper helper = new XAResourceRecoveryHelper() {
            @Override
            public boolean initialise(String parameter) {
                return true;
            }

            @Override
            public XAResource[] getXAResources() {
                return new XAResource[] {rows};
            }
        };
        XARecoveryModule module = XARecoveryModule.getRegisteredXARecoveryModule();
        module.addXAResourceRecoveryHelper(helper);
        try {
            await().atMost(PATIENCE).untilAsserted(() -> {
                recovery.scan();
                assertThat(inDoubt()).isEmpty();
                assertThat(rows.recover(XAResource.TMSTARTRSCAN)).isEmpty();
                assertThat(logged()).hasSize(left);
            });
            for (Path entry : logged()) {
                Files.delete(entry);
            }
        } finally {
            module.removeXAResourceRecoveryHelper(helper);
            connection.close();
        }
    }

    private static javax.transaction.xa.Xid[] inDoubt() throws XAException {
        return ReconnectingXaResource.of(queues.options()).recover(XAResource.TMSTARTRSCAN);
    }

    private static List<Path> logged() throws IOException {
        try (Stream<Path> files = Files.walk(dir.resolve("log"))) {
            return files.filter(file -> file.toString().contains("AtomicAction") && Files.isRegularFile(file))
                    .toList();
        }
    }

    private static void send(String queue, String text) {
        try (JMSContext context = queues.createContext()) {
            context.createProducer().send(context.createQueue(queue), text);
        }
    }

    private static List<String> received(String queue) {
        List<String> texts = new ArrayList<>();
        try (JMSContext context = queues.createContext()) {
            var consumer = context.createConsumer(context.createQueue(queue));
            for (String text = consumer.receiveBodyNoWait(String.class);
                    text != null;
                    text = consumer.receiveBodyNoWait(String.class)) {
                texts.add(text);
            }
        }
        return texts;
    }

    private static List<String> rows(JdbcDataSource database) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select name from moved")) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }
}
