package io.metaq.state.transaction;

import io.metaq.state.record.Acknowledged;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.transaction.Transaction.Phase;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** A transaction in a checkpoint (docs/log-format.md). */
final class TransactionFormat {
    /** Makes what holds the messages of one. */
    @FunctionalInterface
    interface Holder {
        HeldMessages of(long id);
    }

    private TransactionFormat() {}

    static void write(DataOutputStream out, Transaction transaction) throws IOException {
        out.writeLong(transaction.id());
        Texts.write(out, transaction.key());
        Texts.write(out, transaction.owner());
        out.writeByte(transaction.phase().ordinal());
        out.writeLong(transaction.startedMs());
        out.writeLong(transaction.timeoutMs());
        out.writeLong(transaction.preparedMs());
        String doom = transaction.doom();
        Texts.write(out, doom == null ? "" : doom);
        transaction.messages().write(out);
        out.writeInt(transaction.locks().size());
        for (Map.Entry<Integer, MessageRanges> locked : transaction.locks().entrySet()) {
            ByteBuffer bytes = Acknowledged.encode(locked.getKey(), locked.getValue());
            out.writeInt(bytes.limit());
            out.write(bytes.array(), 0, bytes.limit());
        }
    }

    static Transaction read(DataInputStream in, Holder holder) throws IOException {
        long id = in.readLong();
        String key = Texts.read(in);
        String owner = Texts.read(in);
        Phase phase = Phase.values()[in.readByte()];
        Transaction transaction = new Transaction(id, key, owner, in.readLong(), in.readLong(), holder.of(id));
        transaction.prepared(in.readLong());
        transaction.phase(phase);
        String doom = Texts.read(in);
        if (!doom.isEmpty()) {
            transaction.doom(doom);
        }
        transaction.messages().read(in);
        HeldRuns runs = transaction.messages().runs();
        for (int run = 0; run < runs.size(); run++) {
            transaction.holds(runs.topicId(run), runs.partition(run), runs.count(run), runs.bytes(run));
        }
        for (int left = in.readInt(); left > 0; left--) {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            MessageRanges ranges = new MessageRanges();
            int subscriptionId = Acknowledged.read(ByteBuffer.wrap(bytes), ranges);
            transaction.locks(subscriptionId, ranges);
        }
        return transaction;
    }
}
