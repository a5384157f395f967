package io.metaq.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one broker says about where a topic is: at itself, and at others where it knows some. Reads the lines of {@code topic
 * routes}, and passes over words that it does not know, so that newer brokers may say more.
 *
 * @param places none when it knows of no such topic anywhere
 * @param cluster whether it was asked for other brokers too, so that those it does not name do not have the topic
 */
record ToldRoutes(List<Place> places, boolean cluster) {

    /**
     * @param partitions 0 when the broker accepts the topic but has no partition of it yet
     * @param own whether it is the broker that told it
     */
    record Place(BrokerNode node, int partitions, boolean publish, boolean subscribe, boolean own) {

        boolean open(RouteSource.Use use) {
            return use == RouteSource.Use.PUBLISH ? publish : subscribe;
        }

        Place at(BrokerAddress address) {
            return new Place(new BrokerNode(node.id(), address), partitions, publish, subscribe, own);
        }
    }

    ToldRoutes {
        places = List.copyOf(places);
    }

    /** Of a broker that speaks for itself alone. */
    static ToldRoutes itself(BrokerNode node, int partitions) {
        return new ToldRoutes(
                partitions < 0 ? List.of() : List.of(new Place(node, partitions, true, true, true)), false);
    }

    /**
     * Lines {@code broker ID HOST:PORT partitions N publish BOOL subscribe BOOL}. The broker that was asked is at the address
     * where it was asked: it may be another than the one it knows of itself.
     *
     * @param encrypted whether the client needs a broker's port for TLS: other brokers are left out of whom none is told
     */
    static ToldRoutes parse(BrokerNode asked, String text, boolean encrypted) {
        List<Place> places = new ArrayList<>();
        for (String line : TopicText.lines(text)) {
            String[] words = line.split(" ", -1);
            if (words.length < 3 || !words[0].equals("broker")) {
                continue;
            }
            var values = TopicText.pairs(
                    line.substring(line.indexOf(words[2]) + words[2].length()).strip());
            int id = Integer.parseInt(words[1]);
            boolean own = id == asked.id();
            BrokerAddress there = own ? asked.address() : address(words[2], encrypted ? values.get("tls") : "");
            if (there == null) {
                continue;
            }
            places.add(new Place(
                    new BrokerNode(id, there),
                    Integer.parseInt(values.getOrDefault("partitions", "0")),
                    Boolean.parseBoolean(values.getOrDefault("publish", "true")),
                    Boolean.parseBoolean(values.getOrDefault("subscribe", "true")),
                    own));
        }
        return new ToldRoutes(places, true);
    }

    /** @param port instead of the one that is told; empty for that one */
    private static @Nullable BrokerAddress address(String told, @Nullable String port) {
        if (port == null) {
            return null;
        }
        BrokerAddress plain = BrokerAddress.parse(told);
        return port.isEmpty() ? plain : new BrokerAddress(plain.host(), Integer.parseInt(port));
    }
}
