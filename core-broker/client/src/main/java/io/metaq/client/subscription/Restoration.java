package io.metaq.client.subscription;

import io.metaq.client.net.Link;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.ReplyHandler;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes on a new connection what the one before had: first the client id, then temporary destinations, then consumers. A broker that has
 * not seen the end of the connection before answers 409 to each of these for a while, so that is asked again. Belongs to the loop.
 */
final class Restoration {
    private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);
    private static final long PAUSE_MS = 100;

    private final SubscriberSession session;
    private final Link link;
    private final EventLoop loop;
    private final SubscriberHost host;
    private final long deadlineNanos;
    private int open;

    Restoration(SubscriberSession session, Link link, EventLoop loop, SubscriberHost host) {
        this.session = session;
        this.link = link;
        this.loop = loop;
        this.host = host;
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(host.callTimeoutMs());
    }

    void start() {
        String clientId = session.clientId();
        if (clientId == null) {
            makeTemporaries();
            return;
        }
        ask(opaque -> new Request.ClientId(clientId, opaque), result -> {
            if (result.ok()) {
                makeTemporaries();
            } else {
                session.failForGood(host.status("client id " + clientId, result.code(), result.text(), null));
            }
        });
    }

    private void makeTemporaries() {
        Map<String, Boolean> wanted = Map.copyOf(session.temporaries());
        open = wanted.size() + 1;
        wanted.forEach((name, queue) ->
                ask(opaque -> DestinationCalls.temporaryRequest(name, queue, opaque), result -> {
                    if (!result.ok()) {
                        LOG.warn("{} cannot be made again: {}", name, result.text());
                    }
                    oneDone(this::attach);
                }));
        oneDone(this::attach);
    }

    private void attach() {
        List<ConsumerSeat> seats = session.seats();
        open = seats.size() + 1;
        for (ConsumerSeat seat : seats) {
            ask(seat::attachRequest, result -> {
                if (!result.ok()) {
                    seat.endedByBroker(result.text());
                }
                oneDone(session::restored);
            });
        }
        oneDone(session::restored);
    }

    private void oneDone(Runnable whenAllAre) {
        if (--open == 0) {
            whenAllAre.run();
        }
    }

    private void ask(IntFunction<Request> request, Consumer<Response.Result> then) {
        link.call(request, host.requestTimeoutMs(), new ReplyHandler() {
            @Override
            public void reply(Response response) {
                response.release();
                if (session.isCurrent(Restoration.this) && response instanceof Response.Result result) {
                    answered(request, result, then);
                }
            }

            @Override
            public void failed(NetworkFailure failure) {
                // Without its connection this restoration is over, and the next one begins from the start.
                link.reset("no answer while attaching again: " + failure.text());
            }
        });
    }

    private void answered(IntFunction<Request> request, Response.Result result, Consumer<Response.Result> then) {
        boolean stillTaken = result.status() == Status.CONFLICT && System.nanoTime() - deadlineNanos < 0;
        if (!stillTaken) {
            then.accept(result);
            return;
        }
        loop.schedule(
                () -> {
                    if (session.isCurrent(this)) {
                        ask(request, then);
                    }
                },
                PAUSE_MS,
                TimeUnit.MILLISECONDS);
    }
}
