package io.metaq.client.subscription;

import io.metaq.client.net.Link;
import io.metaq.client.net.LinkListener;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.NetworkFailure.Kind;
import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.Response;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to one of several servers: tries them in turn until one answers, and goes on with the next when it is lost. After
 * each round without an answer there is a pause, which doubles from 50 ms to 1 s, and the servers are asked for anew. Belongs to its loop.
 */
final class ServerRing {

    /** Told on the loop. */
    interface Owner {
        void connected(Link link, ServerInfo info, InetSocketAddress server);

        /** The connection ended, or an attempt failed. With {@link Kind#REFUSED} there will be no other attempt. */
        void disconnected(NetworkFailure failure, @Nullable InetSocketAddress server);

        void unasked(Response.Unasked frame);
    }

    private static final long MIN_PAUSE_MS = 50;
    private static final long MAX_PAUSE_MS = 1_000;

    /** After a connection that stood: long enough that a broker that closes each one at once is not asked in a circle. */
    private static final long AFTER_LOSS_MS = 20;

    private final EventLoop loop;
    private final SubscriberHost host;
    private final Owner owner;
    private List<InetSocketAddress> servers = List.of();
    private int next;
    private int tried;
    private long pauseMs = MIN_PAUSE_MS;
    private @Nullable Link link;
    private boolean up;
    private boolean stopped;

    ServerRing(EventLoop loop, SubscriberHost host, Owner owner) {
        this.loop = loop;
        this.host = host;
        this.owner = owner;
    }

    void start() {
        host.servers().whenComplete((found, failure) -> loop.execute(() -> begin(found, failure)));
    }

    private void begin(@Nullable List<InetSocketAddress> found, @Nullable Throwable failure) {
        if (stopped) {
            return;
        }
        tried = 0;
        if (found != null && !found.isEmpty()) {
            servers = found;
            attempt();
        } else {
            String why = failure == null ? "no broker is known" : "no broker is known: " + failure.getMessage();
            owner.disconnected(new NetworkFailure(Kind.UNREACHABLE, why, failure), null);
            pause();
        }
    }

    private void attempt() {
        if (stopped) {
            return;
        }
        tried++;
        InetSocketAddress server = servers.get(Math.floorMod(next, servers.size()));
        Link fresh = host.transport().ownLink(loop, server.getHostString(), server.getPort());
        link = fresh;
        fresh.onUnasked(frame -> {
            if (link == fresh) {
                owner.unasked(frame);
            } else {
                frame.release();
            }
        });
        fresh.listen(new LinkListener() {
            @Override
            public void up(ServerInfo info) {
                if (link == fresh) {
                    up = true;
                    pauseMs = MIN_PAUSE_MS;
                    owner.connected(fresh, info, server);
                }
            }

            @Override
            public void down(NetworkFailure failure) {
                if (link == fresh) {
                    lost(fresh, failure, server);
                }
            }
        });
        fresh.connect();
    }

    private void lost(Link broken, NetworkFailure failure, InetSocketAddress server) {
        boolean stood = up;
        up = false;
        link = null;
        host.transport().end(broken);
        next++;
        owner.disconnected(failure, server);
        if (stopped || failure.kind() == Kind.REFUSED) {
            return;
        }
        if (stood) {
            tried = 0;
            loop.schedule(this::attempt, AFTER_LOSS_MS, TimeUnit.MILLISECONDS);
        } else if (tried < servers.size()) {
            attempt();
        } else {
            pause();
        }
    }

    private void pause() {
        loop.schedule(
                () -> {
                    if (!stopped) {
                        start();
                    }
                },
                pauseMs,
                TimeUnit.MILLISECONDS);
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    }

    /** No more attempts. A connection that stands is left to end by itself. */
    void stop() {
        stopped = true;
    }

    /** Ends the connection, whatever it does. The owner is told, if there was one. */
    void cut() {
        stopped = true;
        Link open = link;
        if (open != null) {
            lost(open, new NetworkFailure(Kind.CLOSED, "the subscriber is closed", null), servers.get(0));
        }
    }
}
