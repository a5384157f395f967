package io.metaq.broker.config;

import static io.metaq.broker.config.ValueType.decimal;
import static io.metaq.broker.config.ValueType.flag;
import static io.metaq.broker.config.ValueType.longNumber;
import static io.metaq.broker.config.ValueType.oneOf;
import static io.metaq.broker.config.ValueType.text;
import static io.metaq.broker.config.ValueType.topicName;
import static io.metaq.broker.config.ValueType.wholeNumber;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every key that a configuration file may hold, declared once: name, default, what is right, what it means. Keys of MetaQ
 * 1.4 keep their names and their meaning; where a default differs from 1.4 the description says so.
 */
public final class Settings {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final int ANY_INT = Integer.MAX_VALUE;
    private static final long ANY_LONG = Long.MAX_VALUE;

    private static final List<Setting<?>> SYSTEM_KEYS = new ArrayList<>();
    private static final List<Setting<?>> TOPIC_KEYS = new ArrayList<>();
    private static final List<Setting<?>> ZOOKEEPER_KEYS = new ArrayList<>();

    // ---- [system]: who and where

    public static final Setting<Integer> BROKER_ID = system(
            "brokerId",
            0,
            wholeNumber(0, 1023),
            "Number of this broker, unique in the cluster; it is part of every message id.");
    public static final Setting<String> BIND_ADDRESS = system(
            "bindAddress",
            "127.0.0.1",
            text("an address of this machine, or 0.0.0.0 for all of them"),
            "Address to listen on. Only this machine can connect unless it is changed (1.4 listened on all addresses).");
    public static final Setting<String> HOST_NAME = system(
            "hostName",
            "",
            text("the host name or address that clients can reach"),
            "Address told to clients through ZooKeeper. Unset: bindAddress, or for 0.0.0.0 the first IPv4 address that is not"
                    + " loopback.");
    public static final Setting<Integer> SERVER_PORT =
            system("serverPort", 8123, wholeNumber(0, 65535), "Port of the text protocol; 0 takes any free port.");
    public static final Setting<String> DATA_PATH = system(
            "dataPath",
            Path.of(System.getProperty("user.home", "."), "metaq").toString(),
            text("a directory"),
            "Directory for everything the broker keeps; created if missing. The default is ~/metaq (1.4: ~/meta).");
    public static final Setting<String> DATA_LOG_PATH = system(
            "dataLogPath",
            "",
            text("a directory"),
            "Directory that holds the journal, to put it on a disk of its own. Unset: dataPath.");

    // ---- [system]: who may connect, and how

    public static final Setting<Boolean> ALLOW_ANONYMOUS = system(
            "allowAnonymous",
            true,
            flag(),
            "Whether clients may work without logging in, as those of 1.4 must. false: everything but version, login and quit is"
                    + " answered 401 until a user of usersFile has logged in.");
    public static final Setting<String> USERS_FILE = system(
            "usersFile",
            "",
            text("a file"),
            "File of the users and the hashes of their passwords, kept by metaq user. Unset: users under dataPath.");
    public static final Setting<Integer> TLS_PORT = system(
            "tlsPort",
            -1,
            wholeNumber(-1, 65535),
            "Port of the text protocol over TLS, beside serverPort; -1 = no TLS, 0 takes any free port.");
    public static final Setting<String> TLS_KEY_STORE = system(
            "tlsKeyStore", "", text("a key store"), "Key store with the broker's private key and its certificates.");
    public static final Setting<String> TLS_KEY_STORE_PASSWORD = secret(
            "tlsKeyStorePassword",
            "Password of tlsKeyStore and of the key in it, or file:PATH of a file that holds it.");
    public static final Setting<String> TLS_KEY_STORE_TYPE = system(
            "tlsKeyStoreType", "PKCS12", text("a type of key store such as PKCS12 or JKS"), "Form of tlsKeyStore.");
    public static final Setting<String> TLS_TRUST_STORE = system(
            "tlsTrustStore",
            "",
            text("a key store"),
            "Key store with the certificates by which clients are recognised; for tlsClientAuth.");
    public static final Setting<String> TLS_TRUST_STORE_PASSWORD =
            secret("tlsTrustStorePassword", "Password of tlsTrustStore, or file:PATH of a file that holds it.");
    public static final Setting<String> TLS_TRUST_STORE_TYPE = system(
            "tlsTrustStoreType", "PKCS12", text("a type of key store such as PKCS12 or JKS"), "Form of tlsTrustStore.");
    public static final Setting<String> TLS_CLIENT_AUTH = system(
            "tlsClientAuth",
            "none",
            oneOf("none", "want", "need"),
            "Whether a client on tlsPort shows a certificate: none, want (checked if shown) or need.");

    // ---- [system]: HTTP

    public static final Setting<Integer> ADMIN_PORT = system(
            "adminPort",
            -1,
            wholeNumber(-1, 65535),
            "Port of the HTTP interface; -1 = no HTTP, 0 takes any free port. The file shipped says 8124.");
    public static final Setting<String> ADMIN_HOST = system(
            "adminHost",
            "127.0.0.1",
            text("an address of this machine, or 0.0.0.0 for all of them"),
            "Address to listen on for HTTP. Only this machine can connect unless it is changed, whatever bindAddress says.");
    public static final Setting<Boolean> ADMIN_TLS = system(
            "adminTls",
            false,
            flag(),
            "Whether adminPort speaks HTTPS instead of HTTP, with tlsKeyStore and what else stands there for tlsPort.");
    public static final Setting<String> ADMIN_ALLOWED_ORIGINS = system(
            "adminAllowedOrigins",
            "",
            new ValueType<>("origins such as https://console.example.com, separated by commas", AdminSection::checked),
            "Origins whose pages a browser may let use HTTP here. Unset: none, and requests of pages are answered 403.");
    public static final Setting<Integer> ADMIN_MAX_CONNECTIONS = system(
            "adminMaxConnections",
            1_000,
            wholeNumber(1, ANY_INT),
            "HTTP connections served at a time; one more is answered 503 and closed.");
    public static final Setting<Integer> ADMIN_MAX_BODY_SIZE = system(
            "adminMaxBodySize",
            32 * MIB,
            wholeNumber(KIB, 1024 * MIB),
            "Bytes of the largest body of an HTTP request; a larger one is answered 413. JSON takes more room than the messages in it.");
    public static final Setting<Integer> ADMIN_REQUEST_TIMEOUT = system(
            "adminRequestTimeout",
            60_000,
            wholeNumber(100, 3_600_000),
            "Milliseconds in which an HTTP request must have arrived whole, and without progress of an answer on its way out.");

    // ---- [system]: limits

    public static final Setting<Integer> MAX_CONNECTIONS = system(
            "maxConnections",
            10_000,
            wholeNumber(1, ANY_INT),
            "Connections served at a time; one more is closed at once with one log line.");
    public static final Setting<Integer> CONNECTION_IDLE_TIMEOUT = system(
            "connectionIdleTimeout",
            300_000,
            wholeNumber(0, ANY_INT),
            "Milliseconds without a byte after which a connection is closed; 0 = never.");
    public static final Setting<Integer> MAX_MESSAGE_SIZE = system(
            "maxMessageSize",
            16 * MIB,
            wholeNumber(1, 1024 * MIB),
            "Bytes of the largest message, attribute included. A larger one is refused and its connection closed.");
    public static final Setting<Integer> MAX_LINE_SIZE = system(
            "maxLineSize",
            16 * KIB,
            wholeNumber(256, 16 * MIB),
            "Bytes of the longest command line; a longer one closes its connection.");
    public static final Setting<Long> MAX_IN_FLIGHT_BYTES = system(
            "maxInFlightBytes",
            64L * MIB,
            longNumber(64 * KIB, ANY_LONG),
            "Bytes of messages taken in and not yet written. At the limit the broker reads no further from those that send.");
    public static final Setting<Long> MAX_TEMPORARY_BYTES = system(
            "maxTemporaryBytes",
            0L,
            longNumber(0, ANY_LONG),
            "Bytes of messages that temporary queues and topics hold in memory together; at the limit messages to them are refused"
                    + " until some were consumed. 0 = a quarter of the heap.");
    public static final Setting<Integer> MAX_TRANSFER_SIZE =
            system("maxTransferSize", MIB, wholeNumber(KIB, 1024 * MIB), "Bytes of the largest reply to one get.");
    public static final Setting<Integer> MAX_GET_WAIT = system(
            "maxGetWait",
            60_000,
            wholeNumber(0, 3_600_000),
            "Milliseconds that a get with a wait time is held at most when there is nothing to read.");
    public static final Setting<Integer> MAX_TX_TIMEOUT_IN_SECONDS = system(
            "maxTxTimeoutInSeconds",
            0,
            wholeNumber(0, ANY_INT),
            "Seconds that a transaction may stay unprepared at most when its client asks for a timeout; 0 = as long as the"
                    + " client asks (1.4: 60). Without a timeout it ends with its connection.");
    public static final Setting<Long> DISK_WATERMARK_BYTES = system(
            "diskWatermarkBytes",
            256L * MIB,
            longNumber(0, ANY_LONG),
            "Free bytes of the data disk below which messages are refused with 507; they are taken again at an eighth more than"
                    + " this. Never more than a tenth of the disk. Reading goes on.");
    public static final Setting<Integer> DISK_WATERMARK_PERCENT = system(
            "diskWatermarkPercent",
            0,
            wholeNumber(0, 99),
            "The same as a share of the disk in percent; the larger of the two counts.");
    public static final Setting<Integer> MAX_OPEN_FILES = system(
            "maxOpenFiles",
            8192,
            wholeNumber(16, ANY_INT),
            "Partition log files kept open at a time; those not used for longest are closed first.");
    public static final Setting<Integer> IO_THREADS =
            system("ioThreads", 0, wholeNumber(0, 1024), "Threads that serve connections; 0 = one for each processor.");
    public static final Setting<Integer> GROUP_SESSION_TIMEOUT = system(
            "groupSessionTimeout",
            30_000,
            wholeNumber(1_000, 3_600_000),
            "Milliseconds after which a member of a consumer group that says nothing loses its partitions.");
    public static final Setting<Integer> STOP_TIMEOUT = system(
            "stopTimeout",
            30_000,
            wholeNumber(0, 3_600_000),
            "Milliseconds that a graceful stop may take to finish what was accepted.");

    // ---- [system]: journal

    public static final Setting<Integer> JOURNAL_SEGMENT_SIZE = system(
            "journalSegmentSize",
            64 * MIB,
            wholeNumber(MIB, 1024 * MIB),
            "Bytes of one journal file; files are preallocated and reused. On a disk of less than 32 times this they are smaller.");
    public static final Setting<Integer> CHECKPOINT_INTERVAL = system(
            "checkpointInterval",
            3_600_000,
            wholeNumber(1_000, ANY_INT),
            "Milliseconds after which a checkpoint is taken if anything changed.");
    public static final Setting<Long> CHECKPOINT_BYTES = system(
            "checkpointBytes",
            256L * MIB,
            longNumber(MIB, ANY_LONG),
            "Bytes of journal after which a checkpoint is taken; bounds the time of a restart.");

    // ---- [system]: topics

    public static final Setting<Boolean> AUTO_CREATE_TOPICS = system(
            "autoCreateTopics",
            false,
            flag(),
            "Whether the first message to an unknown topic creates it. Topics that a [topic=...*...] section matches are always"
                    + " created so.");
    public static final Setting<Boolean> CREATE_DESTINATIONS = system(
            "createDestinations",
            true,
            flag(),
            "Whether a queue or topic that a subscription asks for (JMS does) is created at its first use. Messages of plain"
                    + " producers go by autoCreateTopics instead.");
    public static final Setting<Boolean> UPDATE_CONSUMER_OFFSETS = system(
            "updateConsumerOffsets",
            false,
            flag(),
            "Whether a get beyond the end is answered 301 with the end instead of 404. Off for production, as in 1.4.");

    // ---- [system] and [topic=NAME]: each topic may have its own

    public static final Setting<Integer> NUM_PARTITIONS =
            topic("numPartitions", 1, wholeNumber(1, 100_000), "Partitions of a topic on this broker.");
    public static final Setting<Integer> UNFLUSH_THRESHOLD = topic(
            "unflushThreshold",
            0,
            wholeNumber(Integer.MIN_VALUE, ANY_INT),
            "0 or less: a message is answered when it is on disk, with group commit (durability disk). Above 0: when the"
                    + " operating system has it (durability os). Default 0, as in the file shipped with 1.4.");
    public static final Setting<Integer> UNFLUSH_INTERVAL = topic(
            "unflushInterval",
            1_000,
            wholeNumber(Integer.MIN_VALUE, ANY_INT),
            "Milliseconds after which messages of durability os are on disk too; 0 or less leaves it to the operating system"
                    + " (1.4: 10000).");
    public static final Setting<Integer> MAX_SEGMENT_SIZE = topic(
            "maxSegmentSize",
            1024 * MIB,
            wholeNumber(64 * KIB, ANY_INT),
            "Bytes after which a partition log begins a new file.");
    public static final Setting<DeletePolicy> DELETE_POLICY = topic(
            "deletePolicy",
            DeletePolicy.parse("delete,168"),
            new ValueType<>(DeletePolicy.EXPECTS, DeletePolicy::parse),
            "What becomes of old messages: delete,N or archive,N[,true] with N as 30s, 90m or 168h (no unit: hours); archive keeps"
                    + " the files, true compresses them.");
    public static final Setting<CronSchedule> DELETE_WHEN = topic(
            "deleteWhen",
            CronSchedule.parse("0 0 6,18 * * ?"),
            new ValueType<>(CronSchedule.EXPECTS, CronSchedule::parse),
            "When deletePolicy and retentionBytes are applied, as a Quartz cron expression in the time zone of the machine.");
    public static final Setting<Long> RETENTION_BYTES = topic(
            "retentionBytes",
            0L,
            longNumber(0, ANY_LONG),
            "Bytes that one partition keeps at most, by whole files, oldest first; 0 = no limit.");
    public static final Setting<Boolean> ACCEPT_PUBLISH =
            topic("acceptPublish", true, flag(), "Whether producers may send, and find the topic in ZooKeeper.");
    public static final Setting<Boolean> ACCEPT_SUBSCRIBE =
            topic("acceptSubscribe", true, flag(), "Whether consumers may read, and find the topic in ZooKeeper.");

    // ---- [system] and [topic=NAME]: subscriptions

    public static final Setting<String> KIND = topicOnly(
            "kind",
            "topic",
            oneOf("topic", "queue"),
            "topic: each subscription gets every message. queue: each message goes to one consumer and stays until it is"
                    + " acknowledged. Fixed when the topic is created.");
    public static final Setting<Integer> MAX_DELIVERIES = topic(
            "maxDeliveries",
            10,
            wholeNumber(0, ANY_INT),
            "Failed deliveries of one message to one subscription after which it goes to deadLetterQueue; 0 = no limit.");
    public static final Setting<Long> REDELIVERY_DELAY = topic(
            "redeliveryDelay",
            0L,
            longNumber(0, ANY_LONG),
            "Milliseconds until a message whose delivery failed is delivered again. Later messages of its group"
                    + " (`JMSXGroupID`) wait for it, others do not.");
    public static final Setting<Double> REDELIVERY_BACKOFF = topic(
            "redeliveryBackoff",
            1.0,
            decimal(1, 1_000),
            "Factor by which redeliveryDelay grows with each further failure of the same message; 1 keeps it the same.");
    public static final Setting<Long> MAX_REDELIVERY_DELAY = topic(
            "maxRedeliveryDelay",
            3_600_000L,
            longNumber(0, ANY_LONG),
            "Milliseconds to which redeliveryDelay grows at most.");
    public static final Setting<String> DEAD_LETTER_QUEUE = topic(
            "deadLetterQueue",
            "DLQ",
            topicName(),
            "Queue that takes messages after maxDeliveries failures; none drops them. Created when needed and createDestinations allows.");
    public static final Setting<String> EXPIRY_QUEUE = topic(
            "expiryQueue",
            "none",
            topicName(),
            "Queue that takes messages that expired before they were delivered; none drops them. Created when needed and createDestinations allows.");
    public static final Setting<Boolean> RETAIN_ACKNOWLEDGED = topic(
            "retainAcknowledged",
            false,
            flag(),
            "Whether messages of a queue stay after they were acknowledged, until deletePolicy takes them: to look at, or to seek"
                    + " back to. Others go with the whole file once all in it are acknowledged.");

    // ---- [zookeeper]

    public static final Setting<Boolean> ZK_ENABLE = zookeeper(
            "zk.zkEnable",
            true,
            flag(),
            "Whether the broker registers itself in ZooKeeper. A file without a [zookeeper] section means false.");
    public static final Setting<String> ZK_CONNECT =
            zookeeper("zk.zkConnect", "localhost:2181", text("host:port[,host:port...]"), "Servers of ZooKeeper.");
    public static final Setting<String> ZK_ROOT =
            zookeeper("zk.zkRoot", "/meta", text("a path such as /meta"), "Path under which MetaQ keeps its nodes.");
    public static final Setting<Integer> ZK_SESSION_TIMEOUT = zookeeper(
            "zk.zkSessionTimeoutMs", 30_000, wholeNumber(100, ANY_INT), "Milliseconds of the ZooKeeper session.");
    public static final Setting<Integer> ZK_CONNECTION_TIMEOUT = zookeeper(
            "zk.zkConnectionTimeoutMs",
            30_000,
            wholeNumber(100, ANY_INT),
            "Milliseconds to wait for a connection at start.");
    public static final Setting<Boolean> ZK_EMBEDDED = zookeeper(
            "zk.embedded",
            false,
            flag(),
            "Whether the broker runs a ZooKeeper server of its own; the option -l sets it.");
    public static final Setting<Integer> ZK_EMBEDDED_PORT = zookeeper(
            "zk.embeddedPort",
            2181,
            wholeNumber(0, 65535),
            "Port of the embedded ZooKeeper on bindAddress; 0 takes any free port.");
    public static final Setting<String> ZK_EMBEDDED_DATA_PATH = zookeeper(
            "zk.embeddedDataPath",
            "",
            text("a directory"),
            "Data of the embedded ZooKeeper. Unset: zookeeper/ under dataPath.");

    private Settings() {}

    /** Keys of [system], in the order of declaration; those that a topic may override are among them. */
    public static List<Setting<?>> system() {
        return List.copyOf(SYSTEM_KEYS);
    }

    /** Keys of [topic=NAME]; all but {@link #KIND} are keys of [system] too. */
    public static List<Setting<?>> topic() {
        return List.copyOf(TOPIC_KEYS);
    }

    /** Keys of [zookeeper]. */
    public static List<Setting<?>> zookeeper() {
        return List.copyOf(ZOOKEEPER_KEYS);
    }

    private static <T> Setting<T> system(String name, T defaultValue, ValueType<T> type, String description) {
        Setting<T> setting = Setting.of(name, defaultValue, type, description);
        SYSTEM_KEYS.add(setting);
        return setting;
    }

    private static <T> Setting<T> topic(String name, T defaultValue, ValueType<T> type, String description) {
        Setting<T> setting = system(name, defaultValue, type, description);
        TOPIC_KEYS.add(setting);
        return setting;
    }

    private static <T> Setting<T> topicOnly(String name, T defaultValue, ValueType<T> type, String description) {
        Setting<T> setting = Setting.of(name, defaultValue, type, description);
        TOPIC_KEYS.add(setting);
        return setting;
    }

    private static Setting<String> secret(String name, String description) {
        Setting<String> setting = Setting.secret(name, text("a password, or file:PATH"), description);
        SYSTEM_KEYS.add(setting);
        return setting;
    }

    private static <T> Setting<T> zookeeper(String name, T defaultValue, ValueType<T> type, String description) {
        Setting<T> setting = Setting.of(name, defaultValue, type, description);
        ZOOKEEPER_KEYS.add(setting);
        return setting;
    }

    static Map<String, Setting<?>> byName(List<Setting<?>> settings) {
        Map<String, Setting<?>> byName = new LinkedHashMap<>();
        settings.forEach(setting -> byName.put(setting.name(), setting));
        return byName;
    }
}
