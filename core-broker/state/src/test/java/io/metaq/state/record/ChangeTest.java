package io.metaq.state.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeTest {
    static Stream<Change> changes() {
        return Stream.of(
                new Change.BrokerFounded(Long.MAX_VALUE),
                new Change.TopicCreated("täst", 3, Map.of("retentionBytes", "1024")),
                new Change.TopicAltered("t", 0, Map.of("stat", "")),
                new Change.TopicDeleted("t"),
                new Change.PartitionsGated("t", 0, 7, true, false, false),
                new Change.OffsetCommitted("g", "t", 1, 123, -1, 99),
                new Change.OffsetsReset("g", "t", Map.of(0, 5L, 1, 6L), 77),
                new Change.GroupDeleted("g"),
                new Change.PartitionTrimmed(7, 2, 4096, Change.Disposal.ARCHIVE_COMPRESSED),
                new Change.ProducersExpired(5));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldComeBackFromItsBytes(Change change) {
        assertThat(Change.decode(change.type(), change.encode())).isEqualTo(change);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldRefuseABodyThatEndsEarly(Change change) {
        ByteBuffer cut = change.encode();
        cut.limit(cut.limit() - 1);
        assertThatIllegalArgumentException().isThrownBy(() -> Change.decode(change.type(), cut));
    }

    @Test
    void shouldRefuseARecordOfANewerBroker() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Change.decode((byte) 99, ByteBuffer.allocate(0)))
                .withMessageContaining("unknown journal record type 99");
    }

    @Test
    void shouldNumberMessagesInPlace() {
        ByteBuffer messages = ByteBuffer.allocate(100);
        for (int length : new int[] {5, 0, 11}) {
            messages.putInt(length).putInt(0).putLong(-1).putInt(0).put(new byte[length]);
        }
        messages.flip();
        MessageRecord.assignIds(messages, 41);
        assertThat(messages.getLong(8)).isEqualTo(41);
        assertThat(messages.getLong(25 + 8)).isEqualTo(42);
        assertThat(messages.getLong(45 + 8)).isEqualTo(43);
        assertThat(messages.position()).isZero();
    }
}
