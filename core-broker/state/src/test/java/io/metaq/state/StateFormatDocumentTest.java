package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.state.record.Acknowledged;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.RecordType;
import io.metaq.state.record.TransactionRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.CursorExample;
import io.metaq.state.subscription.MessageRanges;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/log-format.md says of records and checkpoints is what the code writes. */
class StateFormatDocumentTest {
    private static String document() throws IOException {
        Path file = Path.of("docs/log-format.md");
        for (Path up = Path.of("").toAbsolutePath(); up != null && !Files.exists(file); up = up.getParent()) {
            file = up.resolve("docs/log-format.md");
        }
        return Files.readString(file);
    }

    /** The hexadecimal digits of an example, without spaces. */
    private static String documented(String example) throws IOException {
        String text = document();
        int at = text.indexOf("<!-- example: " + example + " -->");
        assertThat(at).as(example).isNotNegative();
        int from = text.indexOf("```", at) + 3;
        return text.substring(from, text.indexOf("```", from)).replaceAll("\\s", "");
    }

    private static String hex(ByteBuffer bytes) {
        return HexFormat.of().formatHex(bytes.array(), 0, bytes.limit());
    }

    @Test
    void shouldDocumentEveryRecordType() throws Exception {
        String text = document();
        for (Field field : RecordType.class.getFields()) {
            assertThat(text).as(field.getName()).contains("\n| " + field.getByte(null) + " | ");
        }
    }

    @Test
    void shouldWriteTheDocumentedAcknowledgements() throws IOException {
        MessageRanges ranges = MessageRanges.of(0, 1_000, 1_300, 12);
        ranges.add(1, 5_000, 5_025, 1);
        assertThat(hex(Acknowledged.encode(3, ranges))).isEqualTo(documented("acknowledged"));
    }

    @Test
    void shouldWriteTheDocumentedMove() throws IOException {
        ByteBuffer head = ByteBuffer.allocate(MovedRecord.HEAD_BYTES + MessageRecord.HEAD_BYTES);
        new MovedRecord(3, 2, 100, 125, 1).write(head);
        new MessageRecord(5, 0, 1_000, 0, 0, 1).write(head);
        assertThat(hex(head.flip())).isEqualTo(documented("moved"));
    }

    @Test
    void shouldWriteTheDocumentedTransaction() throws IOException {
        TransactionRecord record = new TransactionRecord(
                9,
                8,
                1_000,
                List.of(new TransactionRecord.Messages(5, 2, 1, 25)),
                List.of(new TransactionRecord.Acknowledgements(3, MessageRanges.of(0, 100, 125, 1))));
        assertThat(hex(record.encode())).isEqualTo(documented("transaction"));
    }

    @Test
    void shouldWriteTheDocumentedPartsOfATransaction() throws IOException {
        TransactionRecord parts = new TransactionRecord(
                9,
                8,
                1_000,
                List.of(new TransactionRecord.Messages(5, 2, 1, 25)),
                List.of(new TransactionRecord.Acknowledgements(3, MessageRanges.of(0, 100, 125, 1))));
        EnlistedRecord record = new EnlistedRecord(
                EnlistedRecord.ANY, EnlistedRecord.Then.PREPARE, 60_000, "XID:1:0a:0b:metaq", "app", parts);
        assertThat(hex(record.encode())).isEqualTo(documented("enlisted"));
    }

    @Test
    void shouldWriteTheDocumentedStepOfATransaction() throws IOException {
        TransactionStep step = new TransactionStep(TransactionStep.Kind.TIME_OUT, 7, 1_000);
        assertThat(hex(step.encode())).isEqualTo(documented("transaction rolled back"));
    }

    @Test
    void shouldWriteTheDocumentedCursor() throws IOException {
        assertThat(HexFormat.of().formatHex(CursorExample.bytes())).isEqualTo(documented("cursor"));
    }
}
