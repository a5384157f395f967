package io.metaq.client.zookeeper;

import io.metaq.client.RouteSource.Use;
import io.metaq.client.TopicPartition;

/** Where 1.4 keeps what. */
final class ZooKeeperPaths {
    private final String root;

    ZooKeeperPaths(String root) {
        String bare = root;
        while (bare.endsWith("/")) {
            bare = bare.substring(0, bare.length() - 1);
        }
        this.root = bare.isEmpty() || bare.startsWith("/") ? bare : "/" + bare;
    }

    String brokers() {
        return root + "/brokers/ids";
    }

    /** Children: {@code master} and {@code slave<N>}. */
    String broker(int id) {
        return brokers() + "/" + id;
    }

    String master(int id) {
        return broker(id) + "/master";
    }

    /** A broker's port for TLS, if it has one; 1.4 had none. */
    String tlsPort(int id) {
        return root + "/brokers/tls/" + id;
    }

    /** Children: {@code <broker>-m} and {@code <broker>-s<N>}. */
    String topic(String topic, Use use) {
        return root + "/brokers/" + (use == Use.PUBLISH ? "topics-pub/" : "topics-sub/") + topic;
    }

    /** Children: the members. */
    String members(String group) {
        return root + "/consumers/" + group + "/ids";
    }

    /** Children: the partitions that have an owner. */
    String owners(String group, String topic) {
        return root + "/consumers/" + group + "/owners/" + topic;
    }

    String owner(String group, TopicPartition partition) {
        return owners(group, partition.topic()) + "/" + partition.shortName();
    }

    String offset(String group, TopicPartition partition) {
        return root + "/consumers/" + group + "/offsets/" + partition.topic() + "/" + partition.shortName();
    }
}
