package io.metaq.protocol.reply;

import io.metaq.protocol.Limits;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The answer to {@code version}: what a broker is and can do.
 *
 * @param version the version of its software, the only thing a client that does not negotiate is told
 * @param protocol highest protocol both sides speak; 1 for MetaQ 1.4
 * @param brokerId -1 where it is not known
 * @param features what it can do beyond protocol 1, sorted
 */
public record BrokerVersion(String version, int protocol, int brokerId, Limits limits, Set<String> features) {
    /** The protocol that this version of the software speaks. */
    public static final int PROTOCOL = 2;

    public BrokerVersion {
        features = new TreeSet<>(features);
    }

    public boolean has(String feature) {
        return features.contains(feature);
    }

    /** The body of the reply to a client that negotiates. */
    public String text() {
        return String.join(
                Lines.SEPARATOR,
                version,
                "protocol " + protocol,
                "broker_id " + brokerId,
                "max_body " + limits.maxBodyBytes(),
                "max_line " + limits.maxLineBytes(),
                "features " + String.join(",", features));
    }

    /** Reads a reply. A single line is what MetaQ 1.4 sends: protocol 1, no features. */
    public static BrokerVersion parse(String text) {
        List<String> lines = Lines.of(text);
        String version = lines.isEmpty() ? "" : lines.get(0);
        int protocol = 1;
        int brokerId = -1;
        int maxBody = Limits.DEFAULT.maxBodyBytes();
        int maxLine = Limits.DEFAULT.maxLineBytes();
        Set<String> features = Set.of();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            int space = line.indexOf(' ');
            String value = space < 0 ? "" : line.substring(space + 1);
            switch (space < 0 ? line : line.substring(0, space)) {
                case "protocol" -> protocol = Lines.integer(value, line);
                case "broker_id" -> brokerId = Lines.integer(value, line);
                case "max_body" -> maxBody = Lines.integer(value, line);
                case "max_line" -> maxLine = Lines.integer(value, line);
                case "features" -> features = value.isEmpty() ? Set.of() : new TreeSet<>(List.of(value.split(",")));
                default -> {
                    // A newer broker says more.
                }
            }
        }
        return new BrokerVersion(version, protocol, brokerId, new Limits(maxLine, maxBody), features);
    }
}
