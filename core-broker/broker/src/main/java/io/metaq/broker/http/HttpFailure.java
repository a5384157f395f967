package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.protocol.Status;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;

/** A request that was not carried out: the answer to give. Costs no stack trace. */
final class HttpFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int http;
    private final Status status;
    private final transient HttpHeaders headers = new DefaultHttpHeaders();
    private transient Json.Writing more = json -> {};

    private HttpFailure(int http, Status status, String text) {
        super(text, null, false, false);
        this.http = http;
        this.status = status;
    }

    /** With the status that the protocol's code has in HTTP. */
    static HttpFailure of(Status status, String text) {
        return new HttpFailure(http(status), status, text);
    }

    /** With a status that only HTTP has. */
    static HttpFailure of(HttpResponseStatus http, Status status, String text) {
        return new HttpFailure(http.code(), status, text);
    }

    static HttpFailure badRequest(String text) {
        return of(Status.BAD_REQUEST, text);
    }

    /** Codes are those of HTTP where HTTP has them. */
    private static int http(Status status) {
        return switch (status) {
            case MOVED -> HttpResponseStatus.GONE.code();
            case TIMEOUT -> HttpResponseStatus.GATEWAY_TIMEOUT.code();
            default -> status.code();
        };
    }

    HttpFailure header(CharSequence name, String value) {
        headers.set(name, value);
        return this;
    }

    /** Adds fields to the document. */
    HttpFailure with(Json.Writing fields) {
        more = fields;
        return this;
    }

    Status status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    HttpReply reply() {
        HttpReply reply = HttpReply.json(HttpResponseStatus.valueOf(http), json -> {
            json.writeStartObject();
            writeFields(json);
            more.write(json);
            json.writeEndObject();
        });
        reply.headers().add(headers);
        if (status == Status.BUSY || status == Status.STORAGE_FULL) {
            reply.headers().set("Retry-After", "1");
        }
        return reply;
    }

    /** What every failure says, into an object that is open. */
    void writeFields(JsonGenerator json) throws IOException {
        json.writeNumberField("status", http);
        json.writeNumberField("code", status.code());
        json.writeStringField("name", status.name());
        json.writeStringField("message", text());
        json.writeBooleanField("retriable", status.retriable());
    }
}
