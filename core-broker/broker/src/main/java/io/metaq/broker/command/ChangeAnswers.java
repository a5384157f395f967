package io.metaq.broker.command;

import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.state.Outcome;
import io.metaq.state.record.Change;
import org.jspecify.annotations.Nullable;

/** The answer to a change, from its end. */
final class ChangeAnswers {
    private ChangeAnswers() {}

    /** Makes a change durable and answers it; what the client asked after it is looked at only then. */
    static void inOrder(Store store, Change change, int opaque, Session session) {
        session.hold();
        store.change(change, Durability.DISK)
                .whenComplete((outcome, failure) -> session.later(() -> {
                    session.reply(of(outcome, failure, opaque));
                    session.release();
                }));
    }

    static Response.Result of(@Nullable Outcome outcome, @Nullable Throwable failure, int opaque) {
        if (failure != null) {
            return new Response.Result(ErrorTexts.status(failure), ErrorTexts.text(failure), opaque);
        } else if (outcome instanceof Outcome.Refused refused) {
            return new Response.Result(ErrorTexts.status(refused.reason()), refused.text(), opaque);
        }
        return new Response.Result(Status.OK, "", opaque);
    }
}
