package io.metaq.broker.http;

import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Locale;

/** What can be wrong with a request before anyone knows what it is about. */
final class RequestFaults {
    private RequestFaults() {}

    /** What the decoder could not read. */
    static HttpFailure of(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return HttpFailure.of(
                    HttpResponseStatus.REQUEST_URI_TOO_LONG,
                    Status.TOO_LARGE,
                    "the first line of the request is too long");
        } else if (cause instanceof TooLongHttpHeaderException) {
            return HttpFailure.of(
                    HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    Status.TOO_LARGE,
                    "the headers of the request are too long");
        }
        return HttpFailure.badRequest("this is no request of HTTP/1.1: " + cause.getMessage());
    }

    static HttpFailure tooLarge(int limit) {
        return HttpFailure.of(
                Status.TOO_LARGE,
                "a body has at most " + limit + " bytes (adminMaxBodySize): send fewer messages at once");
    }

    /** The path as it came. Also of a request to a proxy, which names the server before it. */
    static String path(HttpRequest request) {
        String uri = request.uri();
        int scheme = uri.indexOf("://");
        int from = uri.startsWith("/") || scheme < 0 ? 0 : Math.max(uri.indexOf('/', scheme + 3), 0);
        int query = uri.indexOf('?', from);
        return query < 0 ? uri.substring(from) : uri.substring(from, query);
    }

    static boolean mayHaveBody(HttpRequest request) {
        return HttpUtil.isTransferEncodingChunked(request)
                || request.decoderResult().isFailure()
                || HttpUtil.getContentLength(request, 0L) > 0;
    }

    /** @throws HttpFailure if the request is not one for that route, whatever its body will say */
    static void check(HttpRequest request, Route route, int maxBody) {
        HttpHeaders headers = request.headers();
        HttpVersion version = request.protocolVersion();
        if (version.majorVersion() != 1) {
            throw HttpFailure.of(
                    HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, Status.NOT_SUPPORTED, "HTTP/1.1 is spoken here");
        }
        String expected = headers.get(HttpHeaderNames.EXPECT);
        if (expected != null && !HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expected)) {
            throw HttpFailure.of(
                    HttpResponseStatus.EXPECTATION_FAILED,
                    Status.BAD_REQUEST,
                    "100-continue is all that can be expected");
        }
        String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        if (encoding != null && !HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(encoding)) {
            throw unsupported("bodies are taken as they are, not as " + encoding);
        }
        if (HttpUtil.getContentLength(request, 0L) > maxBody) {
            throw tooLarge(maxBody);
        }
        if (route.hasBody() && (mayHaveBody(request) || headers.contains(HttpHeaderNames.CONTENT_TYPE))) {
            consumes(request, route.consumes());
        }
    }

    private static void consumes(HttpRequest request, List<String> types) {
        CharSequence given = HttpUtil.getMimeType(request);
        String type = given == null ? "" : given.toString().strip().toLowerCase(Locale.ROOT);
        boolean any = types.contains("*/*");
        if (any && (type.equals("application/x-www-form-urlencoded") || type.startsWith("multipart/"))) {
            // What curl -d says of a body when nobody else does: it would be stored as something that it is not.
            throw unsupported("a form is no message: say what the body is, such as Content-Type: text/plain"
                    + " or application/json");
        }
        boolean taken = any || types.contains(type) || type.isEmpty() && !types.contains(Json.CONTENT_TYPE);
        if (!taken) {
            throw unsupported(
                    "the body must be " + String.join(" or ", types) + (type.isEmpty() ? "" : ", not " + type));
        }
    }

    static HttpFailure unsupported(String text) {
        return HttpFailure.of(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, Status.BAD_REQUEST, text);
    }

    static void noBodyUnless(boolean wanted, ByteBuf body) {
        if (!wanted && body.isReadable()) {
            throw HttpFailure.badRequest("no body is expected here");
        }
    }
}
