package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** The examples of docs/log-format.md, as the code writes them. */
public final class FormatExamples {

    private static final int SALT = 0x5a17ba5e;

    private FormatExamples() {}

    public static String segmentHeader() {
        ByteBuffer header = new SegmentFormat(0, 64 << 20, SALT, 1).encode();
        return HexFormat.of().formatHex(header.array(), 0, 40);
    }

    public static String record() {
        byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer record = ByteBuffer.allocate(RecordFormat.HEADER_BYTES + body.length);
        RecordFormat.putHeader(record, 0, body.length, 0, 0, 1, (byte) 1, (byte) 0);
        record.put(RecordFormat.HEADER_BYTES, body);
        int checksum = RecordFormat.checksum(new CRC32C(), record.duplicate(), 0, body.length, SALT);
        record.putInt(RecordFormat.CHECKSUM, checksum);
        return HexFormat.of().formatHex(record.array());
    }
}
