package io.metaq.protocol.reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplyTextTest {
    @Test
    void shouldTakeOneLineForMetaQ14() {
        BrokerVersion version = BrokerVersion.parse("0.1");
        assertThat(version.protocol()).isEqualTo(1);
        assertThat(version.version()).isEqualTo("0.1");
        assertThat(version.features()).isEmpty();
    }

    @Test
    void shouldReadVersionBack() {
        BrokerVersion version =
                new BrokerVersion("2.0.0", 2, 7, new Limits(1000, 2000), Set.of(Feature.TIME, Feature.APPEND));
        assertThat(version.text())
                .isEqualTo(
                        "2.0.0\r\nprotocol 2\r\nbroker_id 7\r\nmax_body 2000\r\nmax_line 1000\r\nfeatures append,time");
        assertThat(BrokerVersion.parse(version.text())).isEqualTo(version);
        assertThat(BrokerVersion.parse(version.text() + "\r\nmood fine\r\nx")).isEqualTo(version);
    }

    @Test
    void shouldReadTopicsBack() {
        List<TopicEntry> topics = List.of(new TopicEntry("a", 1), new TopicEntry("b", 20));
        assertThat(TopicEntry.text(topics)).isEqualTo("a 1\r\nb 20");
        assertThat(TopicEntry.parse(TopicEntry.text(topics))).isEqualTo(topics);
        assertThat(TopicEntry.parse("")).isEmpty();
    }

    @Test
    void shouldReadTopicDescriptionBack() {
        TopicDescription topic = new TopicDescription(
                Map.of("deleteWhen", "0 0 6,18 * * ?"),
                List.of(
                        new TopicDescription.Partition(0, 0, 95, 4, TopicDescription.State.OPEN),
                        new TopicDescription.Partition(1, 5, 5, 0, TopicDescription.State.of(true, false))));
        assertThat(topic.text())
                .isEqualTo("deleteWhen 0 0 6,18 * * ?\r\npartition 0 min 0 max 95 messages 4 state open\r\n"
                        + "partition 1 min 5 max 5 messages 0 state publish-closed");
        assertThat(TopicDescription.parse(topic.text())).isEqualTo(topic);
    }

    @Test
    void shouldReadGroupOffsetsBack() {
        List<GroupOffset> offsets = List.of(new GroupOffset("t", 3, 4711, -1, 1700000000000L));
        assertThat(GroupOffset.text(offsets)).isEqualTo("t 3 4711 -1 1700000000000");
        assertThat(GroupOffset.parse(GroupOffset.text(offsets))).isEqualTo(offsets);
    }

    @Test
    void shouldReadAssignmentBack() {
        GroupAssignment assignment =
                new GroupAssignment(3, List.of("m1", "m2"), List.of(new GroupAssignment.Partition("t", 0)));
        assertThat(assignment.text()).isEqualTo("generation 3\r\nmember m1\r\nmember m2\r\nassign t 0");
        assertThat(GroupAssignment.parse(assignment.text())).isEqualTo(assignment);
    }

    @Test
    void shouldReadGroupDescriptionBack() {
        GroupDescription group = new GroupDescription(
                3,
                List.of(new GroupDescription.Member("m1", List.of("a", "b"))),
                List.of(
                        new GroupDescription.Partition("a", 0, 10, 30, 20, "m1"),
                        new GroupDescription.Partition("a", 1, -1, 30, 30, null)));
        assertThat(group.text())
                .isEqualTo("generation 3\r\nmember m1 a,b\r\npartition a 0 offset 10 end 30 lag 20 owner m1\r\n"
                        + "partition a 1 offset -1 end 30 lag 30 owner -");
        assertThat(GroupDescription.parse(group.text())).isEqualTo(group);
    }

    @Test
    void shouldSayWhichLineItCannotRead() {
        assertThatThrownBy(() -> GroupOffset.parse("t 1 2 3 4\r\nt one 2 3 4"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("'t one 2 3 4'");
    }
}
