package io.metaq.client;

import io.metaq.client.net.Transport.Purpose;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Keeps offsets in the broker that has the partition. */
final class BrokerOffsetStore implements OffsetStore {

    private final ClientCore core;

    BrokerOffsetStore(ClientCore core) {
        this.core = core;
    }

    @Override
    public @Nullable StoredOffset load(String group, TopicPartition partition) {
        Response.Result result =
                await(ask(partition, AdminOperation.GROUP_OFFSETS, group, Map.of("topic", partition.topic())));
        if (result.code() == Status.NOT_FOUND.code()) {
            return null;
        }
        String text =
                Calls.success("group offsets " + group, result, core.brokers().known(partition));
        for (Admin.GroupOffset offset : TopicText.offsets(partition.broker(), text)) {
            if (offset.partition().equals(partition)) {
                return offset.stored();
            }
        }
        return null;
    }

    @Override
    public void commit(String group, Map<TopicPartition, StoredOffset> offsets) {
        List<CompletableFuture<Response.Result>> answers = new ArrayList<>();
        List<TopicPartition> partitions = new ArrayList<>(offsets.keySet());
        for (TopicPartition partition : partitions) {
            answers.add(ask(partition, AdminOperation.GROUP_COMMIT, group, options(partition, offsets.get(partition))));
        }
        MetaqException failure = null;
        for (int i = 0; i < answers.size(); i++) {
            try {
                Calls.success(
                        "group commit " + group,
                        await(answers.get(i)),
                        core.brokers().known(partitions.get(i)));
            } catch (MetaqException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static Map<String, String> options(TopicPartition partition, @Nullable StoredOffset stored) {
        if (stored == null) {
            throw new IllegalArgumentException("no offset for " + partition);
        }
        return Map.of(
                "topic", partition.topic(),
                "partition", Integer.toString(partition.partition()),
                "offset", Long.toString(stored.offset()),
                "id", Long.toString(stored.messageId()));
    }

    private CompletableFuture<Response.Result> ask(
            TopicPartition partition, AdminOperation operation, String group, Map<String, String> options) {
        BrokerAddress server = core.brokers().known(partition);
        return Calls.admin(
                core.brokers().link(server, Purpose.CONTROL),
                server,
                core.requestTimeout().toMillis(),
                operation,
                group,
                options);
    }

    private Response.Result await(CompletableFuture<Response.Result> answer) {
        return Calls.await(answer, "group offsets", Duration.ofSeconds(2).plus(core.requestTimeout()));
    }
}
