package io.metaq.broker.http;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** Who asks: basic authentication by the users that may log in to the text protocol, by the same rules. */
final class Authorization {
    private static final String BASIC = "basic ";

    private Authorization() {}

    /** Fails by a 401, or where it cannot be found out. Each request says anew who it is from. */
    static CompletableFuture<Void> check(HttpRequest request, Route route, BrokerConfig config, Calls calls) {
        calls.session().loggedIn("");
        String given = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (!route.needsLogin()) {
            return CompletableFuture.completedFuture(null);
        } else if (given == null) {
            return config.allowAnonymous()
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(unauthorized("log in first: this broker serves its users only"));
        }
        String pair = decode(given);
        int colon = pair.indexOf(':');
        if (colon <= 0) {
            return CompletableFuture.failedFuture(unauthorized("give user and password by basic authentication"));
        }
        return calls.ask(opaque -> new Request.Login(pair.substring(0, colon), pair.substring(colon + 1), opaque))
                .thenAccept(answer -> {
                    if (answer instanceof Answer.Text text && text.status() == Status.UNAUTHORIZED) {
                        throw unauthorized(text.text());
                    }
                    answer.ok();
                });
    }

    private static String decode(String header) {
        if (!header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return "";
        }
        try {
            return new String(
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static HttpFailure unauthorized(String text) {
        return HttpFailure.of(Status.UNAUTHORIZED, text)
                .header(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"MetaQ\", charset=\"UTF-8\"");
    }
}
