package io.metaq.broker.zookeeper;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The registration tree of MetaQ 1.4, as paths and data. Old clients depend on every byte of it. */
final class RegistryPaths {
    private final String root;
    private final BrokerInfo broker;

    RegistryPaths(String root, BrokerInfo broker) {
        this.root = root;
        this.broker = broker;
    }

    /** Persistent; data is the url, for clients older than 1.4. */
    String idNode() {
        return root + "/brokers/ids/" + broker.id();
    }

    /** Ephemeral; who holds it is the broker with this id. */
    String masterNode() {
        return masterNode(root, broker.id());
    }

    String configChecksumNode() {
        return idNode() + "/master_config_checksum";
    }

    /** Ephemeral; data is the port for TLS. 1.4 knew none, so it stands where 1.4 clients do not look. */
    static String tlsNode(String root, int broker) {
        return root + "/brokers/tls/" + broker;
    }

    /** The ephemeral nodes of the topics, path to data. Consumers of all versions need all three trees. */
    Map<String, String> topicNodes(Collection<TopicRegistration> topics) {
        Map<String, String> nodes = new LinkedHashMap<>();
        for (TopicRegistration topic : topics) {
            if (topic.name().indexOf('/') >= 0) {
                continue; // would be another topic's subtree; such a topic is reached by broker address only
            }
            // 1.4 clients refuse unknown fields: exactly these two.
            String json = "{\"broker\":\"" + name() + "\",\"numParts\":" + topic.partitions() + "}";
            nodes.put(topicNode("topics", topic), Integer.toString(topic.partitions()));
            if (topic.acceptPublish()) {
                nodes.put(topicNode("topics-pub", topic), json);
            }
            if (topic.acceptSubscribe()) {
                nodes.put(topicNode("topics-sub", topic), json);
            }
        }
        return nodes;
    }

    private String topicNode(String tree, TopicRegistration topic) {
        return topic(root, tree, topic.name()) + "/" + name();
    }

    /** Whose children are the brokers with a topic, in one of the three trees. */
    static String topic(String root, String tree, String topic) {
        return root + "/brokers/" + tree + "/" + topic;
    }

    static String masterNode(String root, int broker) {
        return root + "/brokers/ids/" + broker + "/master";
    }

    private String name() {
        return broker.id() + "-m";
    }
}
