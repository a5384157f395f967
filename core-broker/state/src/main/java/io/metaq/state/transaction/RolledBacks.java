package io.metaq.state.transaction;

import io.metaq.state.record.TransactionStep;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last transactions that were rolled back without having been asked to. Any thread. */
final class RolledBacks {
    private static final int REMEMBERED = 4_096;

    private final Map<String, RolledBack> byKey = new LinkedHashMap<>();

    synchronized @Nullable RolledBack find(String key) {
        return byKey.get(key);
    }

    synchronized @Nullable RolledBack find(long id) {
        for (RolledBack each : byKey.values()) {
            if (each.id() == id) {
                return each;
            }
        }
        return null;
    }

    synchronized void remember(RolledBack ended) {
        byKey.remove(ended.key());
        byKey.put(ended.key(), ended);
        if (byKey.size() > REMEMBERED) {
            byKey.remove(byKey.keySet().iterator().next());
        }
    }

    synchronized void forget(String key) {
        byKey.remove(key);
    }

    synchronized void write(DataOutputStream out) throws IOException {
        out.writeInt(byKey.size());
        for (RolledBack each : byKey.values()) {
            out.writeLong(each.id());
            Texts.write(out, each.key());
            out.writeByte(each.cause().ordinal());
        }
    }

    void read(DataInputStream in) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            remember(new RolledBack(in.readLong(), Texts.read(in), TransactionStep.Kind.values()[in.readByte()]));
        }
    }
}
