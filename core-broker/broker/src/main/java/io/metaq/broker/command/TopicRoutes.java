package io.metaq.broker.command;

import io.metaq.broker.command.TopicDirectory.Place;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.net.Session;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code topic routes}: tells a client that knows this broker alone where the whole of a topic is. */
final class TopicRoutes {
    private final BrokerConfig config;
    private final TopicCatalog topics;
    private final TopicDirectory directory;

    TopicRoutes(HandlerContext context, TopicDirectory directory) {
        this.config = context.config();
        this.topics = context.topics();
        this.directory = directory;
    }

    void answer(Request.Admin admin, Session session) {
        Place own = own(topics.topic(admin.name()), session);
        // Counted as under way, so that quit waits for the answer.
        session.taken(0);
        directory
                .elsewhere(admin.name())
                .thenAccept(others -> session.later(() -> {
                    reply(admin, own, others, session);
                    session.written(0);
                }));
    }

    private static void reply(Request.Admin admin, @Nullable Place own, List<Place> others, Session session) {
        List<Place> places = new ArrayList<>(others);
        if (own != null) {
            places.add(own);
        }
        if (places.isEmpty()) {
            session.reply(Status.NOT_FOUND, "there is no topic " + admin.name(), admin.opaque());
            return;
        }
        places.sort(Comparator.comparingInt(Place::broker));
        StringBuilder lines = new StringBuilder();
        for (Place place : places) {
            lines.append("broker ").append(place.broker()).append(' ').append(place.address());
            lines.append(" partitions ").append(place.partitions());
            lines.append(" publish ").append(place.publish());
            lines.append(" subscribe ").append(place.subscribe());
            if (place.tlsPort() > 0) {
                lines.append(" tls ").append(place.tlsPort());
            }
            lines.append("\r\n");
        }
        session.reply(Status.OK, lines.toString(), admin.opaque());
    }

    private @Nullable Place own(@Nullable Topic topic, Session session) {
        if (topic == null) {
            return null;
        }
        TopicConfig settings = topics.settings(topic);
        boolean publish = Arrays.stream(topic.partitions()).anyMatch(Partition::publishOpen);
        boolean subscribe = Arrays.stream(topic.partitions()).anyMatch(Partition::subscribeOpen);
        return new Place(
                config.brokerId(),
                address(session.local()),
                -1, // the client is where it wants to be
                topic.partitionCount(),
                settings.acceptPublish() && publish,
                settings.acceptSubscribe() && subscribe);
    }

    /** A broker that nobody gave a name is reached where this client has reached it. */
    private String address(InetSocketAddress arrived) {
        String named = config.namedHost();
        String host = named != null
                ? named
                : Objects.requireNonNull(arrived.getAddress()).getHostAddress();
        return (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + arrived.getPort();
    }
}
