package io.metaq.broker.command;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.protocol.Feature;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import java.util.Arrays;
import java.util.stream.Collectors;

/** {@code version} and {@code quit}. */
final class ConnectionHandler implements CommandHandler {
    /** The newest protocol that this broker speaks. */
    static final int PROTOCOL = 2;

    /** What a client may use after negotiation, besides all of 1.4. */
    private static final String FEATURES =
            Arrays.stream(Feature.values()).map(Feature::word).collect(Collectors.joining(","));

    private final BrokerConfig config;
    private final String version;
    private final String resourceManager;

    ConnectionHandler(BrokerConfig config, String version, String resourceManager) {
        this.config = config;
        this.version = version;
        this.resourceManager = resourceManager;
    }

    @Override
    public void handle(Request request, Session session) {
        if (request instanceof Request.Version hello) {
            Integer protocol = hello.protocol();
            if (protocol == null) {
                session.reply(Status.OK, version, hello.opaque());
            } else {
                greet(hello, protocol, session);
            }
        } else {
            session.leave();
        }
    }

    private void greet(Request.Version hello, int protocol, Session session) {
        String client = hello.client();
        session.negotiated(client == null ? "" : client);
        session.reply(
                Status.OK,
                version + "\r\nprotocol " + Math.min(protocol, PROTOCOL) + "\r\nbroker_id " + config.brokerId()
                        + "\r\nmax_body " + config.maxMessageSize() + "\r\nmax_line " + config.maxLineSize()
                        + "\r\nfeatures " + FEATURES + "\r\nresource_manager " + resourceManager
                        + (config.allowAnonymous() ? "\r\n" : "\r\nlogin required\r\n"),
                hello.opaque());
    }
}
