package io.metaq.broker.command;

import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.state.Outcome;
import org.jspecify.annotations.Nullable;

/** The answer to a change, from its end. */
final class ChangeAnswers {
    private ChangeAnswers() {}

    static Response.Result of(@Nullable Outcome outcome, @Nullable Throwable failure, int opaque) {
        if (failure != null) {
            return new Response.Result(ErrorTexts.status(failure), ErrorTexts.text(failure), opaque);
        } else if (outcome instanceof Outcome.Refused refused) {
            return new Response.Result(ErrorTexts.status(refused.reason()), refused.text(), opaque);
        }
        return new Response.Result(Status.OK, "", opaque);
    }
}
