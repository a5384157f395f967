package io.metaq.broker.http;

import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One thing that can be asked for. The OpenAPI document says the same, which a test holds it to.
 *
 * @param template path with {@code {names}} for segments that vary
 * @param query parameters that may be given; one that ends with a dot stands for all that begin with it
 * @param headers of the request that have a meaning here, but for those of HTTP itself
 * @param consumes content types of the body; one that ends with {@code /*} stands for all that begin so; none: no body
 * @param produces content types of the answer, the first one for who has no wish
 * @param statuses with which it is answered; those that every route has are left out
 * @param needsLogin whether it is for users only where all else is
 */
record Route(
        HttpMethod method,
        String template,
        Set<String> query,
        Set<String> headers,
        List<String> consumes,
        List<String> produces,
        Set<Integer> statuses,
        boolean needsLogin,
        Endpoint endpoint) {
    /** What is done. On the event loop of the connection; must not block. */
    @FunctionalInterface
    interface Endpoint {
        /** @throws HttpFailure if it is not carried out; the future may fail by one as well */
        CompletableFuture<HttpReply> handle(Exchange exchange);
    }

    static Route of(HttpMethod method, String template, Endpoint endpoint) {
        return new Route(
                method,
                template,
                Set.of(),
                Set.of(),
                List.of(),
                List.of(Json.CONTENT_TYPE),
                Set.of(200),
                true,
                endpoint);
    }

    Route query(String... names) {
        return new Route(method, template, Set.of(names), headers, consumes, produces, statuses, needsLogin, endpoint);
    }

    Route headers(Set<String> names) {
        return new Route(method, template, query, names, consumes, produces, statuses, needsLogin, endpoint);
    }

    Route consumes(String... types) {
        return new Route(method, template, query, headers, List.of(types), produces, statuses, needsLogin, endpoint);
    }

    Route produces(String... types) {
        return new Route(method, template, query, headers, consumes, List.of(types), statuses, needsLogin, endpoint);
    }

    Route answers(Integer... codes) {
        return new Route(method, template, query, headers, consumes, produces, Set.of(codes), needsLogin, endpoint);
    }

    Route forEveryone() {
        return new Route(method, template, query, headers, consumes, produces, statuses, false, endpoint);
    }

    boolean hasBody() {
        return !consumes.isEmpty();
    }
}
