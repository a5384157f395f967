package io.metaq.state.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.SubscriptionInfo;
import java.nio.ByteBuffer;
import java.util.List;
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
                new Change.ProducersExpired(5),
                new Change.SubscriptionCreated(
                        new SubscriptionInfo("durable:c:s", 3, SubscriptionInfo.Kind.DURABLE, "a = 'ä'", "c"),
                        Start.at(List.of(new Start.Position(0, 1L << 40, 9), new Start.Position(1, 0, 0)))),
                new Change.SubscriptionCreated(
                        new SubscriptionInfo("s", 3, SubscriptionInfo.Kind.SHARED_DURABLE, null, null), Start.LAST),
                new Change.SubscriptionDeleted("s"),
                new Change.SubscriptionMoved("s", Start.LAST),
                new Change.SubscriptionPaused("s", true),
                new Change.SubscriptionPurged("s"),
                new Change.Returned(
                        3, 1, List.of(new Change.ReturnedMessage(77, 5), new Change.ReturnedMessage(99, 0))),
                new Change.DeliveredMark(3, 1, 1L << 33));
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

    private static MessageRanges ranges() {
        MessageRanges ranges = new MessageRanges();
        ranges.add(0, 1L << 40, (1L << 40) + 300, 12);
        ranges.add(130, 0, 25, 1);
        ranges.add(130, 25, 50, 1); // continues the one before
        return ranges;
    }

    private static void assertSame(MessageRanges ranges, MessageRanges expected) {
        assertThat(ranges.size()).isEqualTo(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(ranges.partition(i)).isEqualTo(expected.partition(i));
            assertThat(ranges.from(i)).isEqualTo(expected.from(i));
            assertThat(ranges.to(i)).isEqualTo(expected.to(i));
            assertThat(ranges.messages(i)).isEqualTo(expected.messages(i));
        }
    }

    @Test
    void shouldReadAcknowledgementsAsTheyWereWritten() {
        ByteBuffer body = Acknowledged.encode(7, ranges());
        assertThat(body.remaining()).isLessThan(22);
        MessageRanges read = MessageRanges.of(9, 9, 10, 9);
        assertThat(Acknowledged.read(body.duplicate(), read)).isEqualTo(7);
        assertSame(read, ranges());
        assertThat(read.size()).isEqualTo(2);
        assertThat(read.totalMessages()).isEqualTo(14);
        body.limit(body.limit() - 1);
        assertThatIllegalArgumentException().isThrownBy(() -> Acknowledged.read(body, read));
    }

    @Test
    void shouldReadATransactionAsItWasWritten() {
        TransactionRecord record = new TransactionRecord(
                9,
                8,
                7,
                List.of(new TransactionRecord.Messages(1, 2, 3, 75), new TransactionRecord.Messages(-4, 0, 1, 25)),
                List.of(new TransactionRecord.Acknowledgements(5, ranges())));
        ByteBuffer head = record.encode();
        TransactionRecord read = TransactionRecord.read(head.duplicate());
        assertThat(read.messages()).isEqualTo(record.messages());
        assertThat(read.producerId()).isEqualTo(9);
        assertThat(read.sequence()).isEqualTo(8);
        assertThat(read.timestampMs()).isEqualTo(7);
        assertThat(read.acknowledged().get(0).subscriptionId()).isEqualTo(5);
        assertSame(read.acknowledged().get(0).ranges(), ranges());
        for (int cut = 0; cut < head.limit(); cut++) {
            ByteBuffer early = head.duplicate().limit(cut);
            assertThatIllegalArgumentException().as("cut at %d", cut).isThrownBy(() -> TransactionRecord.read(early));
        }
    }

    @Test
    void shouldReadTheHeadOfAMoveAsItWasWritten() {
        MovedRecord moved = new MovedRecord(5, 2, 1L << 35, (1L << 35) + 75, 3);
        ByteBuffer head = ByteBuffer.allocate(MovedRecord.HEAD_BYTES);
        moved.write(head);
        assertThat(MovedRecord.read(head.flip())).isEqualTo(moved);
    }
}
