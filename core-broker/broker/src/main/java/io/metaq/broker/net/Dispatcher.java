package io.metaq.broker.net;

import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.Verb;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the handler of a request. A handler's fault costs the request a 500, not the broker its health. */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Map<Verb, CommandHandler> handlers = new EnumMap<>(Verb.class);

    private Set<Verb> beforeLogin = EnumSet.allOf(Verb.class);

    /** Leaves to those who have not logged in nothing but these. */
    public Dispatcher requireLoginExceptFor(Set<Verb> verbs) {
        beforeLogin = EnumSet.copyOf(verbs);
        return this;
    }

    public Dispatcher on(Verb verb, CommandHandler handler) {
        handlers.put(verb, handler);
        return this;
    }

    void dispatch(Request request, Session session) {
        if (request instanceof Request.Rejected rejected) {
            session.reply(rejected.status(), rejected.text(), rejected.opaque());
            return;
        }
        if (!beforeLogin.contains(request.verb()) && session.user().isEmpty()) {
            request.release();
            session.reply(Status.UNAUTHORIZED, "log in first: this broker serves its users only", request.opaque());
            return;
        }
        CommandHandler handler = handlers.get(request.verb());
        if (handler == null) {
            request.release();
            session.reply(Status.NOT_SUPPORTED, "this broker does not offer " + request.verb(), request.opaque());
            return;
        }
        try {
            handler.handle(request, session);
        } catch (RuntimeException e) {
            LOG.error("{} from {} failed", request.verb(), session, e);
            session.reply(Status.FAILED, "the broker failed: " + e + "; its log says more", request.opaque());
        }
    }
}
