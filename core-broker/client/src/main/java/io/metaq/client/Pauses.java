package io.metaq.client;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a consumer has paused: whole topics, and partition numbers of topics. */
final class Pauses {

    private final Set<String> topics = ConcurrentHashMap.newKeySet();
    private final Map<String, Set<Integer>> partitions = new ConcurrentHashMap<>();

    void pause(String topic) {
        topics.add(topic);
    }

    void pause(String topic, int partition) {
        partitions.computeIfAbsent(topic, name -> ConcurrentHashMap.newKeySet()).add(partition);
    }

    void resume(String topic) {
        topics.remove(topic);
        partitions.remove(topic);
    }

    void resume(String topic, int partition) {
        Set<Integer> paused = partitions.get(topic);
        if (paused != null) {
            paused.remove(partition);
        }
    }

    boolean isPaused(TopicPartition partition) {
        return topics.contains(partition.topic())
                || partitions.getOrDefault(partition.topic(), Set.of()).contains(partition.partition());
    }
}
