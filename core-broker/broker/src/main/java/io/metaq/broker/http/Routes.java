package io.metaq.broker.http;

import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Set;

/** Everything that can be asked for. */
final class Routes {
    /** Headers of MetaQ in requests. */
    static final Set<String> REQUEST_HEADERS =
            Set.of(PublishEndpoint.HEADERS_HEADER, PublishEndpoint.PROPERTIES_HEADER);

    private static final String TOPICS = "/v1/topics";
    private static final String GROUP = "/v1/groups/{group}";
    private static final String TOPIC = "/v1/topics/{topic}";
    private static final String PARTITION = TOPIC + "/partitions/{partition}";

    private Routes() {}

    static List<Route> of(HttpParts parts) {
        return List.of(
                Route.of(HttpMethod.GET, TOPICS, TopicEndpoints::list).query("name"),
                Route.of(HttpMethod.POST, TOPICS, TopicEndpoints::create)
                        .consumes(Json.CONTENT_TYPE)
                        .answers(201, 409),
                Route.of(HttpMethod.GET, TOPIC, TopicEndpoints::describe).answers(200, 404),
                Route.of(HttpMethod.PATCH, TOPIC, TopicEndpoints::alter)
                        .consumes(Json.CONTENT_TYPE)
                        .answers(204, 404),
                Route.of(HttpMethod.DELETE, TOPIC, TopicEndpoints::delete).answers(204, 404, 409),
                Route.of(HttpMethod.POST, TOPIC + "/messages", new PublishEndpoint(parts))
                        .query(PublishEndpoint.parameters())
                        .headers(REQUEST_HEADERS)
                        .consumes(Json.CONTENT_TYPE, "*/*")
                        .answers(200, 404, 409, 507),
                Route.of(HttpMethod.GET, PARTITION + "/messages", new ReadEndpoint(parts))
                        .query("offset", "until", "max", "maxBytes", "wait")
                        .produces(Json.CONTENT_TYPE, ReadEndpoint.LINES, ReadEndpoint.STORED)
                        .answers(200, 404, 410, 416),
                Route.of(HttpMethod.GET, PARTITION + "/messages/{offset}", new MessageEndpoint(parts))
                        .produces(MessageEndpoint.AS_IT_IS, Json.CONTENT_TYPE)
                        .answers(200, 404, 410, 416),
                Route.of(HttpMethod.GET, "/v1/groups", GroupEndpoints::list).query("name"),
                Route.of(HttpMethod.GET, GROUP, GroupEndpoints::describe).answers(200, 404),
                Route.of(HttpMethod.DELETE, GROUP, GroupEndpoints::delete).answers(204, 404, 409),
                Route.of(HttpMethod.GET, GROUP + "/offsets", GroupEndpoints::offsets)
                        .query("topic"),
                Route.of(HttpMethod.PUT, GROUP + "/offsets/{topic}/{partition}", GroupEndpoints::commit)
                        .consumes(Json.CONTENT_TYPE)
                        .answers(204, 404),
                Route.of(HttpMethod.GET, "/v1/stats", BrokerEndpoints::stats),
                Route.of(HttpMethod.GET, "/v1/openapi.json", BrokerEndpoints::openApi)
                        .forEveryone(),
                Route.of(
                                HttpMethod.GET,
                                "/health",
                                exchange ->
                                        BrokerEndpoints.health(parts.health().get()))
                        .forEveryone()
                        .answers(200));
    }
}
