package io.metaq.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves messages from queue to queue by branches that end in all ways there are: each message is moved once. */
class RandomBranchesTest {
    private static final int MESSAGES = 150;

    @TempDir
    private Path dir;

    private TestBroker broker;
    private Wire wire;
    private final Random random = new Random(4);
    private final List<String> prepared = new ArrayList<>();
    private int branches;

    @BeforeEach
    void start() throws IOException {
        broker = new TestBroker(dir);
        wire = broker.connect();
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private String depth(String queue) {
        String list = broker.wire().ask("subscription list queue:" + queue + " OPQ");
        return list.substring(list.indexOf("depth ")).strip();
    }

    private String enlist(String key, byte[] body, String options) {
        return Wire.get(wire.begin("enlist " + key + " " + body.length + " OPQ" + options, body));
    }

    private String step(String key, String step) {
        return wire.ask("transaction " + key + " s " + step + " metaq OPQ");
    }

    /** One branch that takes up to three messages, and one of its ends. */
    private void branch() throws IOException {
        String key = "XID:1:%06x:01:metaq".formatted(++branches);
        Inbox got = new Inbox();
        Wire before = wire;
        Wire.Seat seat = wire.queue("in", got);
        if (seat.drain(1 + random.nextInt(3)) > 0) {
            Parts parts = new Parts().acknowledge(seat, got);
            got.texts().forEach(text -> parts.message("out", text));
            end(key, parts.toBytes());
        }
        if (wire == before) {
            seat.detach();
        }
    }

    private void end(String key, byte[] body) throws IOException {
        switch (random.nextInt(6)) {
            case 0 ->
                assertThat(enlist(key, body, " then=commit producer=9 seq=" + branches))
                        .isEqualTo("200 ");
            case 1 -> {
                assertThat(enlist(key, body, "")).startsWith("200");
                assertThat(step(key, "ROLLBACK")).isEqualTo("200 ");
            }
            case 2 -> {
                assertThat(enlist(key, body, "")).startsWith("200");
                wire.close();
                wire = broker.connect();
            }
            default -> {
                assertThat(enlist(key, body, " then=prepare producer=9 seq=" + branches))
                        .startsWith("200 0");
                prepared.add(key);
            }
        }
    }

    private void decideSome() {
        Collections.shuffle(prepared, random);
        while (prepared.size() > 5) {
            String key = prepared.remove(prepared.size() - 1);
            String step = random.nextBoolean() ? "COMMIT_TWO_PHASE" : "ROLLBACK";
            assertThat(step(key, step)).isEqualTo("200 ");
        }
    }

    @Test
    void shouldMoveEachMessageOnce() throws IOException {
        broker.wire().ask("topic create in OPQ kind=queue maxDeliveries=100000");
        broker.wire().ask("topic create out OPQ kind=queue");
        broker.send("in", IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toArray(String[]::new));
        for (int round = 0; round < 60; round++) {
            branch();
            if (prepared.size() > 10) {
                decideSome();
            }
            if (round % 25 == 24) {
                broker.restart();
                wire = broker.connect();
            }
        }
        prepared.forEach(key -> assertThat(step(key, "COMMIT_TWO_PHASE")).isEqualTo("200 "));
        await().untilAsserted(
                        () -> assertThat(broker.wire().ask("tx list * OPQ")).isEqualTo("200 "));

        Inbox moved = new Inbox();
        wire.queue("out", moved).drain(MESSAGES);
        Inbox left = new Inbox();
        wire.queue("in", left).drain(MESSAGES);
        assertThat(depth("out")).isEqualTo("depth " + moved.got.size());
        assertThat(depth("in")).isEqualTo("depth " + left.got.size());
        List<String> all = new ArrayList<>(moved.texts());
        all.addAll(left.texts());
        assertThat(all).hasSize(MESSAGES).doesNotHaveDuplicates();
        assertThat(moved.got).hasSizeGreaterThan(20);
    }
}
