package io.metaq.jms.connection;

import io.metaq.jms.failure.Failures;
import io.metaq.jms.large.ChunkedBodies;
import io.metaq.jms.message.AllowedClasses;
import io.metaq.jms.message.LargeBodies;
import io.metaq.jms.message.MessageDecoder;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.thread.Callbacks;
import io.metaq.jms.thread.ConnectionTimer;
import io.metaq.jms.thread.ExceptionReports;
import io.metaq.jms.transport.ConnectionIdentity;
import io.metaq.jms.transport.ConnectionScope;
import io.metaq.jms.transport.Destinations;
import io.metaq.jms.transport.Transport;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts together what a connection consists of. */
final class ScopeOpening {

    private final ConnectionOptions options;
    private final CompletableFuture<Consumer<JMSException>> whenGivenUp = new CompletableFuture<>();

    ScopeOpening(ConnectionOptions options) {
        this.options = options;
    }

    ConnectionScope open(@Nullable String user, @Nullable String password) throws JMSException {
        AllowedClasses allowed = allowedClasses();
        ConnectionIdentity identity = new ConnectionIdentity();
        String name = "metaq-jms-" + identity.id();
        ConnectionTimer timer = new ConnectionTimer(name + "-timer");
        // The loss of a link can be seen before there is a connection to be told of it.
        LinkWatch watch = new LinkWatch(
                timer,
                options.number(ConnectionOption.RECONNECT_TIMEOUT),
                cause -> whenGivenUp.thenAccept(listener -> listener.accept(cause)));
        Transport transport;
        try {
            transport = Transport.open(options, user, password, watch);
        } catch (JMSException e) {
            timer.close();
            throw e;
        }
        LargeBodies large = new ChunkedBodies(
                transport.client(),
                transport.link(),
                options.number(ConnectionOption.LARGE_MESSAGE_BYTES),
                Duration.ofMillis(options.number(ConnectionOption.SEND_TIMEOUT)));
        Callbacks callbacks = new Callbacks(name + "-callback");
        return new ConnectionScope(
                options,
                identity,
                transport,
                new Destinations(transport, identity.id()),
                new MessageDecoder(allowed, large),
                large,
                timer,
                callbacks,
                new ExceptionReports(callbacks.line()));
    }

    private AllowedClasses allowedClasses() throws JMSException {
        try {
            return AllowedClasses.parse(Objects.requireNonNull(options.text(ConnectionOption.TRUSTED_CLASSES)));
        } catch (IllegalArgumentException e) {
            throw Failures.because(new JMSException(e.getMessage()), e);
        }
    }

    /** Who is told when the broker does not come back. */
    void whenGivenUp(Consumer<JMSException> listener) {
        whenGivenUp.complete(listener);
    }
}
