package io.metaq.broker.http;

import io.metaq.broker.config.AdminSection;
import io.metaq.protocol.Status;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pages of others out: whatever a browser on this network shows must not be able to use the broker by it. A page is told by
 * {@code Origin} or {@code Sec-Fetch-Site}; and where only this machine can connect, by a {@code Host} that is a name of the
 * page's own, pointed here.
 */
final class Gate {
    private final Set<String> allowedOrigins;
    private final Set<String> allowedHosts;
    private final boolean loopback;

    Gate(AdminSection config) {
        this.allowedOrigins = config.allowedOrigins();
        this.allowedHosts = allowedOrigins.stream()
                .map(origin -> URI.create(origin).getHost())
                .collect(Collectors.toUnmodifiableSet());
        InetAddress address = new InetSocketAddress(config.host(), 0).getAddress();
        this.loopback = address != null && address.isLoopbackAddress();
    }

    /** @throws HttpFailure if the request is that of a page that must not, or does not say to whom it is */
    void check(HttpRequest request) {
        HttpHeaders headers = request.headers();
        String host = only(HttpHeaderNames.HOST, headers);
        if (host == null && request.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            throw HttpFailure.badRequest("a request of HTTP/1.1 has a header Host");
        }
        if (only(HttpHeaderNames.ORIGIN, headers) != null && origin(headers) == null) {
            throw HttpFailure.of(
                    Status.FORBIDDEN, "pages of this origin may not use the broker: see adminAllowedOrigins");
        }
        String site = headers.get("Sec-Fetch-Site");
        boolean foreign = site != null && !site.equals("none") && !site.equals("same-origin");
        if (foreign && origin(headers) == null) {
            throw HttpFailure.of(
                    Status.FORBIDDEN, "pages of other sites may not use the broker: see adminAllowedOrigins");
        }
        if (loopback && host != null && !local(host)) {
            throw HttpFailure.of(
                    Status.FORBIDDEN,
                    "this address is reached as localhost or by its number, not as " + host
                            + ": see adminAllowedOrigins");
        }
    }

    /** The origin of the request if it is one that may, else null. */
    @Nullable
    String origin(HttpHeaders headers) {
        String origin = headers.get(HttpHeaderNames.ORIGIN);
        return origin != null && allowedOrigins.contains(origin.toLowerCase(Locale.ROOT)) ? origin : null;
    }

    private boolean local(String host) {
        int port = host.lastIndexOf(':');
        String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("localhost")
                || NetUtil.isValidIpV4Address(lower)
                || lower.startsWith("[") && NetUtil.isValidIpV6Address(lower)
                || allowedHosts.contains(lower);
    }

    private static @Nullable String only(CharSequence name, HttpHeaders headers) {
        if (headers.getAll(name).size() > 1) {
            throw HttpFailure.badRequest("the header " + name + " is given twice");
        }
        return headers.get(name);
    }
}
