package io.metaq.benchmarks.metaq;

import io.metaq.benchmarks.driver.Driver;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Peer;
import io.metaq.benchmarks.driver.Receiver;
import io.metaq.benchmarks.driver.Sender;
import java.io.IOException;

/** Argument: the broker's {@code host:port}. Speaks the protocol over blocking sockets, without the client. */
final class RawPeer implements Peer {

    private final String host;
    private final int port;

    private RawPeer(String server) {
        int colon = server.lastIndexOf(':');
        this.host = server.substring(0, colon);
        this.port = Integer.parseInt(server.substring(colon + 1));
    }

    public static void main(String[] args) throws Exception {
        Driver.serve(new RawPeer(args[0]));
    }

    private RawConnection connect() throws IOException {
        return new RawConnection(host, port);
    }

    @Override
    public void createTopic(Job job) throws IOException {
        String threshold = job.syncsToDisk() ? "0" : "1000";
        command("topic create " + job.topic() + " 1 partitions=1 unflushThreshold=" + threshold + "\r\n");
    }

    @Override
    public void deleteTopic(Job job) throws IOException {
        command("topic delete " + job.topic() + " 1\r\n");
    }

    private void command(String line) throws IOException {
        try (RawConnection connection = connect()) {
            connection.write(line);
            RawReply reply = connection.reply();
            if (reply.code() != 200) {
                throw new IOException(line.strip() + ": " + reply.code() + " " + connection.text(reply.length()));
            }
        }
    }

    @Override
    public Sender openSender(Job job) throws IOException {
        return new RawSender(connect(), job.topic(), (int) job.number("raw.batch", 256 << 10));
    }

    @Override
    public Receiver openReceiver(Job job, MessageSink sink) throws IOException {
        return new RawReceiver(connect(), job.topic(), (int) job.number("raw.fetch", 1 << 20), sink);
    }
}
