package io.metaq.client;

import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.codec.PercentCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends commands about transactions by way of the admin's connections, and reads the replies. */
final class BrokerTransactions implements TransactionAdmin {
    private final BrokerAdmin admin;

    BrokerTransactions(BrokerAdmin admin) {
        this.admin = admin;
    }

    @Override
    public List<TransactionSummary> list(String glob) {
        List<TransactionSummary> found = new ArrayList<>();
        for (BrokerAdmin.Reply reply : admin.everywhere(AdminOperation.TX_LIST, glob, Map.of())) {
            for (String line : TopicText.lines(reply.result().text())) {
                found.add(summary(reply.node().address(), line));
            }
        }
        return found;
    }

    /** {@code KEY phase PHASE age S messages N bytes N acknowledged N owner OWNER}, the owner percent-encoded. */
    static TransactionSummary summary(BrokerAddress server, String line) {
        Map<String, String> words = TopicText.pairs("key " + line);
        return new TransactionSummary(
                words.getOrDefault("key", ""),
                server,
                words.getOrDefault("phase", ""),
                number(words, "age"),
                number(words, "messages"),
                number(words, "bytes"),
                number(words, "acknowledged"),
                PercentCode.decode(words.getOrDefault("owner", "")));
    }

    private static long number(Map<String, String> words, String key) {
        return Long.parseLong(words.getOrDefault(key, "0"));
    }

    @Override
    public Map<BrokerAddress, List<String>> show(String key) {
        Map<BrokerAddress, List<String>> lines = new LinkedHashMap<>();
        for (BrokerAdmin.Reply reply : admin.whereKnown(AdminOperation.TX_SHOW, key, Map.of())) {
            lines.put(reply.node().address(), TopicText.lines(reply.result().text()));
        }
        return lines;
    }

    @Override
    public void commit(String key) {
        admin.whereKnown(AdminOperation.TX_COMMIT, key, Map.of());
    }

    @Override
    public void rollback(String key) {
        admin.whereKnown(AdminOperation.TX_ROLLBACK, key, Map.of());
    }

    @Override
    public void forget(String key) {
        admin.whereKnown(AdminOperation.TX_FORGET, key, Map.of());
    }
}
