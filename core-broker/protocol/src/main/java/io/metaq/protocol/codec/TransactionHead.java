package io.metaq.protocol.codec;

import io.metaq.protocol.Request;
import io.metaq.protocol.Request.Enlist.Then;
import io.netty.buffer.ByteBuf;
import java.util.Locale;

/** The header lines of {@code transaction}, {@code transact} and {@code enlist}, behind the verb. */
final class TransactionHead {
    private TransactionHead() {}

    static void transaction(ByteBuf out, Request.Transaction transaction) {
        RequestHead.word(out, transaction.key().token());
        RequestHead.word(out, transaction.session());
        RequestHead.word(out, transaction.step().name());
        String qualifier = transaction.uniqueQualifier();
        // A qualifier of digits alone could be taken for a timeout, unless the timeout stands before it.
        boolean numeric = qualifier != null && qualifier.chars().allMatch(c -> c >= '0' && c <= '9');
        if (transaction.timeoutSeconds() > 0 || numeric) {
            RequestHead.number(out, Math.max(0, transaction.timeoutSeconds()));
        }
        if (qualifier != null) {
            RequestHead.word(out, qualifier);
        }
        RequestHead.number(out, transaction.opaque());
        if (transaction.number() != Request.ABSENT) {
            RequestHead.option(out, "number", transaction.number());
        }
    }

    static void transact(ByteBuf out, Request.Transact transact) {
        RequestHead.number(out, transact.body().readableBytes());
        RequestHead.number(out, transact.opaque());
        if (transact.idempotent()) {
            RequestHead.option(out, "producer", transact.producerId());
            RequestHead.option(out, "seq", transact.sequence());
        }
    }

    static void enlist(ByteBuf out, Request.Enlist enlist) {
        RequestHead.word(out, enlist.key().token());
        RequestHead.number(out, enlist.body().readableBytes());
        RequestHead.number(out, enlist.opaque());
        if (enlist.then() != Then.NOTHING) {
            RequestHead.option(out, "then", enlist.then().name().toLowerCase(Locale.ROOT));
        }
        if (enlist.timeoutSeconds() > 0) {
            RequestHead.option(out, "timeout", enlist.timeoutSeconds());
        }
        if (enlist.begun()) {
            RequestHead.option(out, "begun", "true");
        }
        if (enlist.idempotent()) {
            RequestHead.option(out, "producer", enlist.producerId());
            RequestHead.option(out, "seq", enlist.sequence());
        }
    }
}
