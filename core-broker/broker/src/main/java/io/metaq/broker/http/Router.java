package io.metaq.broker.http;

import io.metaq.protocol.Status;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the route of a request. */
final class Router {
    private record Known(Route route, String[] segments) {}

    /** A route, and the segments of the path that vary, decoded. */
    record Match(Route route, Map<String, String> path) {}

    private final List<Known> known = new ArrayList<>();

    Router(List<Route> routes) {
        routes.forEach(route ->
                known.add(new Known(route, route.template().substring(1).split("/"))));
    }

    /**
     * @param path as it came, without the query
     * @throws HttpFailure if there is none: nothing of that path, or not by that method
     */
    Match match(HttpMethod method, String path) {
        String[] segments = path.startsWith("/") ? path.substring(1).split("/", -1) : new String[0];
        TreeSet<String> allowed = new TreeSet<>();
        for (Known candidate : known) {
            Map<String, String> found = match(candidate.segments(), segments);
            if (found != null) {
                HttpMethod serves = candidate.route().method();
                if (serves.equals(method) || serves.equals(HttpMethod.GET) && method.equals(HttpMethod.HEAD)) {
                    return new Match(candidate.route(), found);
                }
                allow(serves, allowed);
            }
        }
        if (allowed.isEmpty()) {
            throw HttpFailure.of(Status.NOT_FOUND, "there is nothing at " + path + "; see /v1/openapi.json");
        }
        throw HttpFailure.of(
                        HttpResponseStatus.METHOD_NOT_ALLOWED,
                        Status.BAD_REQUEST,
                        method + " is not offered at " + path + ", but " + String.join(", ", allowed))
                .header(HttpHeaderNames.ALLOW, String.join(", ", allowed));
    }

    /** The methods offered at a path, OPTIONS among them; empty if there is nothing. */
    TreeSet<String> allowed(String path) {
        String[] segments = path.startsWith("/") ? path.substring(1).split("/", -1) : new String[0];
        TreeSet<String> allowed = new TreeSet<>();
        for (Known candidate : known) {
            if (match(candidate.segments(), segments) != null) {
                allow(candidate.route().method(), allowed);
            }
        }
        return allowed;
    }

    private static void allow(HttpMethod method, TreeSet<String> allowed) {
        allowed.add(method.name());
        allowed.add(HttpMethod.OPTIONS.name());
        if (method.equals(HttpMethod.GET)) {
            allowed.add(HttpMethod.HEAD.name());
        }
    }

    private static @Nullable Map<String, String> match(String[] template, String[] path) {
        if (template.length != path.length) {
            return null;
        }
        Map<String, String> found = new HashMap<>();
        for (int i = 0; i < template.length; i++) {
            if (template[i].startsWith("{")) {
                found.put(template[i].substring(1, template[i].length() - 1), path[i]);
            } else if (!template[i].equals(path[i])) {
                return null;
            }
        }
        found.replaceAll((name, raw) -> decode(name, raw));
        return found;
    }

    /** Decoded segment by segment: a slash in a name does not part it. What is in names is data, never a way through files. */
    private static String decode(String name, String raw) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c >= 0x80) {
                throw HttpFailure.badRequest("what is not ASCII must be percent-encoded in a path");
            } else if (c != '%') {
                bytes.put((byte) c);
            } else if (i + 2 < raw.length()
                    && HexFormat.isHexDigit(raw.charAt(i + 1))
                    && HexFormat.isHexDigit(raw.charAt(i + 2))) {
                bytes.put((byte) HexFormat.fromHexDigits(raw, i + 1, i + 3));
                i += 2;
            } else {
                throw HttpFailure.badRequest("% must be followed by two hex digits: " + raw);
            }
        }
        try {
            String value =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            if (value.isEmpty() || value.chars().anyMatch(c -> c <= ' ' || c == 0x7F)) {
                throw HttpFailure.badRequest(
                        "'" + raw + "' cannot be a " + name + ": it is empty, or has spaces or control characters");
            }
            return value;
        } catch (CharacterCodingException e) {
            throw HttpFailure.badRequest("'" + raw + "' is not UTF-8");
        }
    }
}
