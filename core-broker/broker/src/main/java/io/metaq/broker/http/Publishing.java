package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.broker.config.TopicConfig;
import io.metaq.protocol.Durability;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Publishes the messages of one request: an {@code append} for each partition, which stores all or nothing. */
final class Publishing {
    private final HttpParts parts;
    private final Exchange exchange;
    private final String topic;
    private final Batch batch;
    private final @Nullable Answer[] answers;
    private final long[] offsetInRun;
    private final int[] indexInRun;

    /**
     * What is to be published.
     *
     * @param producerId of an idempotent producer, or {@link Request#NO_PRODUCER}
     * @param sequence number of the first message within its producer, or {@link Request#ABSENT}
     */
    record Batch(List<NewMessage.Encoded> messages, Durability durability, long producerId, long sequence) {
        boolean idempotent() {
            return sequence != Request.ABSENT;
        }
    }

    /** Messages that go to one partition together, by their places in the batch. */
    private record Run(int partition, List<Integer> indices) {}

    Publishing(HttpParts parts, Exchange exchange, String topic, Batch batch) {
        this.parts = parts;
        this.exchange = exchange;
        this.topic = topic;
        this.batch = batch;
        int count = batch.messages().size();
        this.answers = new Answer[count];
        this.offsetInRun = new long[count];
        this.indexInRun = new int[count];
    }

    /** Completes when every message is stored or refused. */
    CompletableFuture<Publishing> start() {
        List<Run> runs = runs();
        CompletableFuture<?> done = batch.idempotent() ? inTurn(runs, 0, batch.sequence()) : together(runs);
        return done.thenApply(nothing -> this);
    }

    private CompletableFuture<?> together(List<Run> runs) {
        return CompletableFuture.allOf(
                runs.stream().map(run -> append(run, Request.ABSENT)).toArray(CompletableFuture[]::new));
    }

    /** Up to the first that is refused: a number behind it would make its own one of the past, and a resend in vain. */
    private CompletableFuture<?> inTurn(List<Run> runs, int next, long sequence) {
        if (next == runs.size()) {
            return CompletableFuture.completedFuture(null);
        }
        Run run = runs.get(next);
        return append(run, sequence).thenCompose(answer -> {
            if (answer instanceof Answer.Stored) {
                return inTurn(runs, next + 1, sequence + run.indices().size());
            }
            for (Run later : runs.subList(next + 1, runs.size())) {
                settle(later, new Answer.Text(Status.BUSY, "not tried, since messages before it were refused"));
            }
            return CompletableFuture.completedFuture(null);
        });
    }

    private CompletableFuture<Answer> append(Run run, long sequence) {
        int bytes = 0;
        for (int i = 0; i < run.indices().size(); i++) {
            int index = run.indices().get(i);
            offsetInRun[index] = bytes;
            indexInRun[index] = i;
            bytes += batch.messages().get(index).length();
        }
        ByteBuf body = exchange.connection().channel().alloc().buffer(bytes);
        run.indices().forEach(index -> batch.messages().get(index).write(body));
        return exchange.ask(opaque -> new Request.Append(
                        topic,
                        run.partition(),
                        run.indices().size(),
                        body,
                        opaque,
                        batch.producerId(),
                        sequence,
                        batch.durability()))
                .thenApply(answer -> {
                    settle(run, answer);
                    return answer;
                });
    }

    private void settle(Run run, Answer answer) {
        run.indices().forEach(index -> answers[index] = answer);
    }

    private List<Run> runs() {
        Map<Integer, Run> runs = new LinkedHashMap<>();
        Map<Integer, Long> bytes = new LinkedHashMap<>();
        int[] open = openPartitions();
        int limit = parts.config().maxMessageSize();
        for (int i = 0; i < batch.messages().size(); i++) {
            NewMessage.Encoded message = batch.messages().get(i);
            int partition = partition(message, open);
            if (bytes.merge(partition, (long) message.length(), Long::sum) > limit) {
                throw HttpFailure.of(
                        Status.TOO_LARGE,
                        "message " + i + ": one message, or all of a request that go to one partition, have at most "
                                + limit + " bytes (maxMessageSize)");
            }
            runs.computeIfAbsent(partition, p -> new Run(p, new ArrayList<>()))
                    .indices()
                    .add(i);
        }
        return List.copyOf(runs.values());
    }

    private static int partition(NewMessage.Encoded message, int[] open) {
        if (message.partition() != Request.ANY_PARTITION || message.key() == null || open.length == 0) {
            return message.partition();
        }
        CRC32 crc = new CRC32();
        crc.update(message.key().getBytes(StandardCharsets.UTF_8));
        return open[(int) (crc.getValue() % open.length)];
    }

    /** Those that take messages, of which a key chooses; of a topic that the first message makes, those that it will have. */
    private int[] openPartitions() {
        Topic found = parts.state().topic(topic);
        if (found == null) {
            TopicConfig made = parts.config()
                    .acceptedTopic(topic)
                    .orElseThrow(() -> HttpFailure.of(Status.NOT_FOUND, "there is no topic " + topic));
            return check(IntStream.range(0, made.numPartitions()).toArray(), made.numPartitions());
        }
        int[] open = Arrays.stream(found.partitions())
                .filter(Partition::publishOpen)
                .mapToInt(partition -> partition.name().partition())
                .toArray();
        return check(open, found.partitionCount());
    }

    private int[] check(int[] open, int count) {
        for (NewMessage.Encoded message : batch.messages()) {
            if (message.partition() >= count) {
                throw HttpFailure.of(Status.NOT_FOUND, "topic " + topic + " has no partition " + message.partition());
            }
        }
        return open;
    }

    /** Says of each message where it is, or why it is not stored; with the status of the first that is not. */
    HttpReply reply() {
        for (Answer answer : answers) {
            if (!(answer instanceof Answer.Stored)) {
                HttpFailure failure = answer == null ? HttpFailure.of(Status.FAILED, "not answered") : answer.failure();
                return failure.with(json -> {
                            json.writeFieldName("messages");
                            write(json);
                        })
                        .reply();
            }
        }
        return HttpReply.json(json -> {
            json.writeStartObject();
            json.writeStringField("topic", topic);
            json.writeFieldName("messages");
            write(json);
            json.writeEndObject();
        });
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (int i = 0; i < answers.length; i++) {
            json.writeStartObject();
            if (answers[i] instanceof Answer.Stored stored) {
                json.writeStringField("id", Long.toString(stored.messageId() + indexInRun[i]));
                json.writeNumberField("partition", stored.partition());
                json.writeNumberField("offset", stored.offset() + offsetInRun[i]);
            } else if (answers[i] != null) {
                json.writeObjectFieldStart("error");
                answers[i].failure().writeFields(json);
                json.writeEndObject();
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
