package io.metaq.client.net;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a broker said when asked for its version.
 *
 * @param version its version text
 * @param protocol 1 for a broker that does not negotiate, else what it offers
 * @param brokerId its id, -1 if it did not say
 * @param maxBody longest body it takes, in bytes
 * @param features words that name what it can do
 * @param loginRequired whether it serves nobody who did not log in
 * @param resourceManager names the keeper of its transactions, empty if it did not say
 */
public record ServerInfo(
        String version,
        int protocol,
        int brokerId,
        int maxBody,
        Set<String> features,
        boolean loginRequired,
        String resourceManager) {

    public ServerInfo {
        features = Set.copyOf(features);
    }

    /** Whether it knows batches, waiting gets, topic and group commands. */
    public boolean modern() {
        return protocol >= 2;
    }

    /** Whether it offers what a feature stands for. */
    public boolean offers(String feature) {
        return features.contains(feature);
    }

    /** Reads the reply to a negotiating {@code version}: a 1.4 broker answers with its version text only. */
    static ServerInfo parse(String reply) {
        String[] lines = reply.split("\r\n", -1);
        Map<String, String> values = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int space = lines[i].indexOf(' ');
            if (space > 0) {
                values.put(lines[i].substring(0, space), lines[i].substring(space + 1));
            }
        }
        String features = values.getOrDefault("features", "");
        return new ServerInfo(
                lines[0],
                number(values, "protocol", 1),
                number(values, "broker_id", -1),
                number(values, "max_body", Integer.MAX_VALUE),
                features.isEmpty() ? Set.of() : Set.of(features.split(",")),
                "required".equals(values.get("login")),
                values.getOrDefault("resource_manager", "").strip());
    }

    private static int number(Map<String, String> values, String key, int otherwise) {
        String text = values.get(key);
        return text == null ? otherwise : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(text.strip()));
    }
}
