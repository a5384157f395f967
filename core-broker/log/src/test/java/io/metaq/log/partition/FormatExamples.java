package io.metaq.log.partition;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The examples of docs/log-format.md, as the code writes them. */
public final class FormatExamples {

    private FormatExamples() {}

    public static String timeIndexEntry() {
        ByteBuffer entry = ByteBuffer.allocate(TimeIndex.ENTRY_BYTES);
        TimeIndex.encode(new TimeIndex.Entry(1000, 2000, 30), entry);
        return HexFormat.of().formatHex(entry.array());
    }
}
