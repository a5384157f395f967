package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.metaq.state.record.EnlistedRecord;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
    @TempDir
    Path dir;

    /** What a broker before subscriptions wrote: one topic with one partition that never had a message. */
    private static byte[] firstFormat() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(1);
            out.writeLong(4_096); // journal position
            out.writeLong(77); // next message id
            out.writeInt(5); // next topic number
            out.writeInt(1);
            out.writeInt(4);
            out.writeUTF("old");
            out.writeInt(0);
            out.writeInt(1);
            out.writeBoolean(true);
            out.writeBoolean(false);
            for (int i = 0; i < 5; i++) {
                out.writeLong(0);
            }
            out.writeInt(0); // groups
            out.writeInt(0); // producers
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldReadACheckpointFromBeforeSubscriptions() throws IOException {
        StateFixture fixture = new StateFixture(dir);
        assertThat(fixture.state.restore(firstFormat())).isEqualTo(4_096);
        Topic old = fixture.state.topic("old");
        assertThat(old).isNotNull();
        assertThat(old.id()).isEqualTo(4);
        assertThat(old.kind()).isEqualTo(Topic.Kind.TOPIC);
        assertThat(old.partitions()[0].subscribeOpen()).isFalse();
        assertThat(fixture.state.subscriptions()).isEmpty();
        Topic next = fixture.create("next", 1, Map.of(Topic.KIND, "queue"));
        assertThat(next.id()).isEqualTo(5);
        assertThat(fixture.subscription("queue:next").id()).isEqualTo(1);
    }

    @Test
    void shouldReadACheckpointFromBeforeTransactions() throws IOException {
        StateFixture before = StateFixture.founded(dir.resolve("before"));
        Topic queue = before.queue("q");
        before.put(queue, 0, 3);
        byte[] snapshot = before.state.snapshot();
        before.state.close();
        byte[] second = Arrays.copyOf(snapshot, snapshot.length - 16); // number, rolled back ones, transactions
        second[3] = 2;
        StateFixture after = new StateFixture(dir.resolve("before"));
        after.state.restore(second);
        assertThat(after.state.snapshot()).isEqualTo(snapshot);
        assertThat(after.enlist("XID:1", EnlistedRecord.Then.NOTHING, new TransactionProposal.Parts())
                        .id())
                .isEqualTo(1);
    }

    @Test
    void shouldRefuseACheckpointOfANewerBroker() throws IOException {
        byte[] newer = firstFormat();
        newer[3] = 9;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StateFixture(dir).state.restore(newer))
                .withMessageContaining("checkpoint of format 9");
    }
}
