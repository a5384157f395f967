package io.metaq.broker.http;

import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Set;

/** Everything that can be asked for. */
final class Routes {
    /** Headers of MetaQ in requests. */
    static final Set<String> REQUEST_HEADERS =
            Set.of(PublishEndpoint.HEADERS_HEADER, PublishEndpoint.PROPERTIES_HEADER);

    private static final String TOPIC = "/v1/topics/{topic}";
    private static final String PARTITION = TOPIC + "/partitions/{partition}";

    private Routes() {}

    static List<Route> of(HttpParts parts) {
        return List.of(
                Route.of(HttpMethod.POST, TOPIC + "/messages", new PublishEndpoint(parts))
                        .query(PublishEndpoint.parameters())
                        .headers(REQUEST_HEADERS)
                        .consumes(Json.CONTENT_TYPE, "*/*")
                        .answers(200, 404, 409, 503, 507),
                Route.of(HttpMethod.GET, PARTITION + "/messages", new ReadEndpoint(parts))
                        .query("offset", "until", "max", "maxBytes", "wait")
                        .produces(Json.CONTENT_TYPE, ReadEndpoint.STORED)
                        .answers(200, 404, 410, 416));
    }
}
