package io.metaq.client;

import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.Transport;
import io.metaq.client.subscription.SubscriberHost;
import io.metaq.client.subscription.SubscriberLink;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** What subscribers need of their client: its connections, where brokers are, and its exceptions. */
final class ClientSubscribers implements SubscriberHost {

    private final ClientCore core;

    ClientSubscribers(ClientCore core) {
        this.core = core;
    }

    @Override
    public Transport transport() {
        return core.brokers().transport();
    }

    @Override
    public long requestTimeoutMs() {
        return core.requestTimeout().toMillis();
    }

    @Override
    public long callTimeoutMs() {
        return core.subscriberTimeout().toMillis();
    }

    @Override
    public CompletableFuture<List<InetSocketAddress>> servers() {
        if (!core.servers().isEmpty()) {
            return CompletableFuture.completedFuture(
                    core.servers().stream().map(ClientSubscribers::unresolved).toList());
        }
        try {
            return CompletableFuture.supplyAsync(
                    () -> core.nodes().stream()
                            .map(node -> unresolved(node.address()))
                            .toList(),
                    core.housekeeping());
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static InetSocketAddress unresolved(BrokerAddress address) {
        return InetSocketAddress.createUnresolved(address.host(), address.port());
    }

    private static @Nullable BrokerAddress address(@Nullable InetSocketAddress server) {
        return server == null ? null : new BrokerAddress(server.getHostString(), server.getPort());
    }

    @Override
    public void connected(int brokerId, InetSocketAddress server) {
        core.brokers().seen(new BrokerNode(brokerId, new BrokerAddress(server.getHostString(), server.getPort())));
    }

    @Override
    public RuntimeException network(String what, NetworkFailure failure, @Nullable InetSocketAddress server) {
        return Failures.network(what, failure, address(server), null);
    }

    @Override
    public RuntimeException status(String what, int code, String text, @Nullable InetSocketAddress server) {
        return Failures.status(what, code, text, address(server), null);
    }

    @Override
    public void closed(SubscriberLink link) {
        core.forget(link);
    }
}
