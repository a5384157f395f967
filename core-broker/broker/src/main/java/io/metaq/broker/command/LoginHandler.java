package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.security.Logins;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code login}. Nothing else of the connection is looked at until it is answered. A wrong one is answered late, so that guessing
 * over one connection is slow, and is told in the log once for each connection, without the name: a password may have got there.
 */
final class LoginHandler implements CommandHandler {
    private static final Logger LOG = LoggerFactory.getLogger(LoginHandler.class);
    private static final long REFUSAL_DELAY_MS = 500;

    private final Logins logins;

    LoginHandler(Logins logins) {
        this.logins = logins;
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Login login = (Request.Login) request;
        session.hold();
        logins.check(login.user(), login.password())
                .thenAccept(verdict -> session.later(() -> answer(verdict, login, session)));
    }

    private static void answer(Logins.Verdict verdict, Request.Login login, Session session) {
        switch (verdict) {
            case RIGHT -> {
                session.loggedIn(login.user());
                reply(Status.OK, "", login, session);
            }
            case BUSY -> reply(Status.BUSY, "too many logins wait to be checked: try again", login, session);
            case WRONG -> {
                if (session.loginRefused() == 1) {
                    LOG.warn("a login from {} was refused: no such user, or another password", session);
                }
                session.after(
                        REFUSAL_DELAY_MS,
                        () -> reply(
                                Status.UNAUTHORIZED,
                                "there is no such user, or the password is another",
                                login,
                                session));
            }
        }
    }

    private static void reply(Status status, String text, Request.Login login, Session session) {
        session.reply(status, text, login.opaque());
        session.release();
    }
}
