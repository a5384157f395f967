package io.metaq.client.peer;

import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A small broker in memory: enough of the protocol to test a client in good weather, and switches for bad weather. One topic's number
 * of partitions is given by {@link #topic}.
 */
public final class MemoryBroker implements AutoCloseable {

    private final int id;
    private final boolean modern;
    private final Map<String, Integer> topics = new ConcurrentHashMap<>();
    private final Map<String, MemoryLog> logs = new ConcurrentHashMap<>();
    private final Map<String, long[]> offsets = new ConcurrentHashMap<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final MemoryGroups groups = new MemoryGroups(this);
    private final AtomicLong ids = new AtomicLong(1000);
    private Peer peer;

    /** No request is answered any more. */
    public volatile boolean frozen;

    /** Code with which appends and puts are refused, 0 for none. */
    public volatile int refuse;

    /** Number of appends after each of which the connection is dropped instead of answered. */
    public volatile int dropAfterStore;

    /** Reads nothing of a connection beyond its next append until this is done, then drops it without having stored that. */
    public volatile @Nullable CountDownLatch dropUnreadAfter;

    /** Longest slice of a get. */
    public volatile int maxTransfer = 1 << 20;

    public MemoryBroker(int id, boolean modern) throws IOException {
        this.id = id;
        this.modern = modern;
        this.peer = new Peer(this::handle);
    }

    public MemoryBroker topic(String name, int partitions) {
        topics.put(name, partitions);
        return this;
    }

    public String address() {
        return peer.address();
    }

    public Peer peer() {
        return peer;
    }

    int partitions(String topic) {
        return topics.getOrDefault(topic, 0);
    }

    public void stop() throws IOException {
        peer.close();
    }

    public void startAgain() throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            try {
                peer = new Peer(peer.port(), this::handle);
                return;
            } catch (BindException e) {
                // The system may hold the port until the last connection of before is gone.
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    private MemoryLog log(String topic, int partition) {
        return logs.computeIfAbsent(topic + "-" + partition, key -> new MemoryLog());
    }

    public int messages(String topic, int partition) {
        return log(topic, partition).messages();
    }

    public int messages(String topic) {
        int sum = 0;
        for (int i = 0; i < partitions(topic); i++) {
            sum += messages(topic, i);
        }
        return sum;
    }

    /** Stores a message and returns its offset. */
    public long store(String topic, int partition, byte[] payload) {
        return log(topic, partition).append(MemoryLog.stored(payload, 0), ids.getAndIncrement());
    }

    public void damage(String topic, int partition, long position) {
        log(topic, partition).flip((int) position);
    }

    public long offset(String group, String topic, int partition) {
        return offsets.getOrDefault(group + " " + topic + " " + partition, new long[] {-1, -1})[0];
    }

    private void handle(Frame frame, Peer.Session session) throws Exception {
        if (frozen) {
            return;
        }
        switch (frame.verb()) {
            case "version" -> version(frame, session);
            case "put" -> put(frame, session);
            case "append" -> append(frame, session);
            case "get" -> get(frame, session);
            case "offset" -> offset(frame, session);
            case "stats" -> stats(frame, session);
            case "topic" -> topic(frame, session);
            case "group" -> group(frame, session);
            default -> session.drop();
        }
    }

    private void version(Frame frame, Peer.Session session) throws IOException {
        boolean negotiates = modern && frame.option("protocol") != null;
        String text = negotiates
                ? "2.0.0\r\nprotocol 2\r\nbroker_id " + id
                        + "\r\nmax_body 16777216\r\nmax_line 16384\r\nfeatures append,group"
                : "0.1";
        session.result(200, text, frame.opaque());
    }

    private boolean refused(Frame frame, Peer.Session session) throws IOException {
        if (refuse != 0) {
            session.result(refuse, "refused by the test", frame.opaque());
            return true;
        }
        if (!topics.containsKey(frame.word(1))) {
            session.result(500, "Put failed.Detail:The server do not accept topic " + frame.word(1), frame.opaque());
            return true;
        }
        return false;
    }

    private void put(Frame frame, Peer.Session session) throws IOException {
        if (refused(frame, session)) {
            return;
        }
        int partition = Math.max(0, Integer.parseInt(frame.word(2)));
        long messageId = ids.getAndIncrement();
        byte[] stored = MemoryLog.stored(frame.body(), Integer.parseInt(frame.word(4)));
        long offset = log(frame.word(1), partition).append(stored, messageId);
        session.result(200, messageId + " " + partition + " " + offset, frame.opaque());
    }

    private void append(Frame frame, Peer.Session session) throws IOException, InterruptedException {
        if (refused(frame, session)) {
            return;
        }
        CountDownLatch unread = dropUnreadAfter;
        if (unread != null) {
            dropUnreadAfter = null;
            unread.await();
            session.drop();
            return;
        }
        String key = frame.option("producer") + " " + frame.option("seq");
        String answer = frame.option("seq") == null ? store(frame) : answers.computeIfAbsent(key, k -> store(frame));
        if (dropAfterStore > 0) {
            dropAfterStore--;
            session.drop();
            return;
        }
        session.result(200, answer, frame.opaque());
    }

    private String store(Frame frame) {
        int partition = Math.max(0, Integer.parseInt(frame.word(2)));
        int count = Integer.parseInt(frame.word(3));
        long firstId = ids.getAndAdd(count);
        long offset = log(frame.word(1), partition).append(frame.body(), firstId);
        return firstId + " " + partition + " " + offset;
    }

    private void get(Frame frame, Peer.Session session) throws Exception {
        String wait = frame.option("wait");
        if (wait != null) {
            // Held requests must not hold up the connection.
            Thread holder = new Thread(() -> {
                try {
                    log(frame.word(1), Integer.parseInt(frame.word(3)))
                            .awaitBeyond(Long.parseLong(frame.word(4)), Long.parseLong(wait));
                    answerGet(frame, session);
                } catch (IOException | InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            holder.setDaemon(true);
            holder.start();
        } else {
            answerGet(frame, session);
        }
    }

    private void answerGet(Frame frame, Peer.Session session) throws IOException {
        MemoryLog log = log(frame.word(1), Integer.parseInt(frame.word(3)));
        long offset = Long.parseLong(frame.word(4));
        if (frozen) {
            return;
        }
        if (offset >= log.end()) {
            session.result(404, "Could not find message at position " + offset, frame.opaque());
            return;
        }
        byte[] slice = log.slice(offset, Math.min(maxTransfer, Integer.parseInt(frame.word(5))));
        session.value(frame.option("wait") == null ? slice : MemoryLog.whole(slice), frame.opaque());
    }

    private void offset(Frame frame, Peer.Session session) throws IOException {
        boolean last = "last".equals(frame.option("at")) || frame.word(4).equals(Long.toString(Long.MAX_VALUE));
        long end = log(frame.word(1), Integer.parseInt(frame.word(3))).end();
        session.result(200, Long.toString(last ? end : 0), frame.opaque());
    }

    private void stats(Frame frame, Peer.Session session) throws IOException {
        String item = frame.words().size() > 2 ? frame.word(1) : "";
        String text = topics.containsKey(item)
                ? item + "\r\nresultCode 0\r\npartitions " + topics.get(item) + "\r\n"
                : item.isEmpty()
                        ? "broker_id " + id + "\r\nversion 0.1\r\n"
                        : item + "\r\nresultCode 1\r\npartitions 0\r\n";
        session.result(200, "STATS\r\n" + text + "END\r\n", frame.opaque());
    }

    private void topic(Frame frame, Peer.Session session) throws IOException {
        String name = frame.word(2);
        if (!topics.containsKey(name)) {
            session.result(404, "no topic " + name, frame.opaque());
            return;
        }
        List<String> lines = new ArrayList<>(List.of("deletePolicy delete,168"));
        for (int i = 0; i < topics.get(name); i++) {
            MemoryLog log = log(name, i);
            lines.add("partition " + i + " min 0 max " + log.end() + " messages " + log.messages() + " state open");
        }
        session.result(200, String.join("\r\n", lines), frame.opaque());
    }

    private void group(Frame frame, Peer.Session session) throws Exception {
        String group = frame.word(2);
        switch (frame.word(1)) {
            case "commit" -> {
                offsets.put(
                        group + " " + frame.option("topic") + " " + frame.option("partition"),
                        new long[] {Long.parseLong(frame.option("offset")), Long.parseLong(frame.option("id", "-1"))});
                session.result(200, "", frame.opaque());
            }
            case "offsets" -> session.result(200, offsetLines(group), frame.opaque());
            default -> groups.handle(frame, session);
        }
    }

    private String offsetLines(String group) {
        List<String> lines = new ArrayList<>();
        new TreeMap<>(offsets).forEach((key, value) -> {
            String[] words = key.split(" ");
            if (words[0].equals(group)) {
                lines.add(words[1] + " " + words[2] + " " + value[0] + " " + value[1] + " 0");
            }
        });
        return String.join("\r\n", lines);
    }

    TreeSet<String> partitionsOf(String topicList) {
        TreeSet<String> all = new TreeSet<>();
        for (String topic : topicList.split(",")) {
            for (int i = 0; i < partitions(topic); i++) {
                all.add(topic + " " + i);
            }
        }
        return all;
    }

    static long firstId(byte[] stored) {
        return ByteBuffer.wrap(stored).getLong(8);
    }

    @Override
    public void close() throws IOException {
        peer.close();
    }
}
