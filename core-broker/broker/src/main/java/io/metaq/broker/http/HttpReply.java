package io.metaq.broker.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * What is answered to a request.
 *
 * @param content empty for none
 */
record HttpReply(HttpResponseStatus status, HttpHeaders headers, byte[] content) {
    /** Stands for an answer that the endpoint has sent by itself, piece by piece. */
    static final HttpReply STREAMED = new HttpReply(HttpResponseStatus.OK, new DefaultHttpHeaders(), new byte[0]);

    static HttpReply json(HttpResponseStatus status, Json.Writing content) {
        return bytes(status, Json.CONTENT_TYPE, Json.bytes(content));
    }

    static HttpReply json(Json.Writing content) {
        return json(HttpResponseStatus.OK, content);
    }

    static HttpReply bytes(HttpResponseStatus status, String contentType, byte[] content) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
        return new HttpReply(status, headers, content);
    }

    static HttpReply noContent() {
        return new HttpReply(HttpResponseStatus.NO_CONTENT, new DefaultHttpHeaders(), new byte[0]);
    }

    HttpReply header(CharSequence name, String value) {
        headers.set(name, value);
        return this;
    }
}
