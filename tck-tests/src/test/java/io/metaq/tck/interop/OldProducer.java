package io.metaq.tck.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * What the Python and Ruby producers of 1.4 do: they look into the oldest tree of topics for how many partitions each broker has, into the
 * brokers' ids for addresses, send a put of six tokens, wait for its answer, and read two of its three words.
 */
final class OldProducer implements AutoCloseable {
    /** Both count their requests from here. */
    static final int FIRST_OPAQUE = Integer.MIN_VALUE + 1;

    /** What they make of an answer. */
    record SendResult(String messageId, String offset) {}

    private final ZooKeeper zooKeeper;
    private final String topic;
    private final Wire wire;
    private final int partitions;
    private int opaque = FIRST_OPAQUE;

    OldProducer(String connect, String topic) throws Exception {
        this.topic = topic;
        zooKeeper = new ZooKeeper(connect, 30_000, event -> {});
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (String broker : zooKeeper.getChildren("/meta/brokers/topics/" + topic, false)) {
            if (broker.endsWith("-m")) {
                String id = broker.substring(0, broker.length() - "-m".length());
                counts.put(id, Integer.parseInt(data("/meta/brokers/topics/" + topic + "/" + broker)));
            }
        }
        partitions = counts.firstEntry().getValue();
        URI address = URI.create(data("/meta/brokers/ids/" + counts.firstKey() + "/master"));
        wire = Wire.connect(address.getHost(), address.getPort());
    }

    private String data(String path) throws KeeperException, InterruptedException {
        return new String(zooKeeper.getData(path, false, null), UTF_8);
    }

    int partitions() {
        return partitions;
    }

    List<String> brokers() throws KeeperException, InterruptedException {
        return zooKeeper.getChildren("/meta/brokers/ids", false);
    }

    SendResult send(int partition, byte[] payload) throws IOException {
        return put(partition, payload, payload.length, 0);
    }

    /** The attribute stands before the payload behind its length, and bit 0 of the flag says so. */
    SendResult send(int partition, String attribute, byte[] payload) throws IOException {
        byte[] words = attribute.getBytes(UTF_8);
        byte[] body = ByteBuffer.allocate(4 + words.length + payload.length)
                .putInt(words.length)
                .put(words)
                .put(payload)
                .array();
        return put(partition, body, body.length, 1);
    }

    /** Newer versions of Ruby count characters where the protocol wants bytes. */
    SendResult sendAsRubyDoes(int partition, String text) throws IOException {
        return put(partition, text.getBytes(UTF_8), text.codePointCount(0, text.length()), 0);
    }

    private SendResult put(int partition, byte[] body, int length, int flag) throws IOException {
        String number = Integer.toString(opaque++);
        wire.send("put " + topic + " " + partition + " " + length + " " + flag, number, body);
        Wire.Reply reply = wire.receive();
        if (!reply.ok() || !reply.opaque().equals(number)) {
            throw new IOException("put " + number + " is answered to " + reply.opaque() + ": " + reply.text());
        }
        String[] words = reply.text().split(" ");
        return new SendResult(words[0], words[2]);
    }

    /** What Python sends on a connection that has been idle for two seconds. */
    String heartbeat() throws IOException {
        wire.send("version", Integer.toString(opaque++), new byte[0]);
        return wire.receive().text();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        wire.close();
        zooKeeper.close();
    }
}
