package io.metaq.state.subscription;

import io.metaq.log.partition.MemoryBudget;
import io.metaq.log.partition.MemoryLog;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The cursor of docs/log-format.md. */
public final class CursorExample {
    private CursorExample() {}

    public static byte[] bytes() throws IOException {
        Cursor cursor = new Cursor(new MemoryLog(new MemoryBudget(0)), true);
        cursor.reset(1_000, 0);
        cursor.acknowledged(1_025, 1_050, 30, Long.MAX_VALUE);
        cursor.acknowledged(2_000, 2_300, 10, Long.MAX_VALUE);
        cursor.cameBack(1_100, 5);
        cursor.cameBack(1_100, 0);
        cursor.mark(2_000);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CursorFormat.write(new DataOutputStream(bytes), cursor);
        return bytes.toByteArray();
    }
}
