package io.metaq.broker.http;

import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request, and what is needed to answer it. On the event loop of its connection. */
final class Exchange {
    /** Work on more bytes than these is not for an event loop, which others wait for. */
    private static final int QUICK_BYTES = 128 * 1024;

    private final HttpRequest request;
    private final Router.Match match;
    private final Query query;
    private final HttpConnection connection;
    private final Executor workers;
    private @Nullable ByteBuf body;

    Exchange(HttpRequest request, Router.Match match, Query query, HttpConnection connection, Executor workers) {
        this.request = request;
        this.match = match;
        this.query = query;
        this.connection = connection;
        this.workers = workers;
    }

    Route route() {
        return match.route();
    }

    /** A segment of the path, decoded. */
    String path(String name) {
        return Objects.requireNonNull(match.path().get(name), name);
    }

    int pathNumber(String name) {
        return (int) Query.number(name, path(name), 0, Integer.MAX_VALUE);
    }

    long pathOffset(String name) {
        return Query.number(name, path(name), 0, Long.MAX_VALUE);
    }

    Query query() {
        return query;
    }

    HttpHeaders headers() {
        return request.headers();
    }

    HttpRequest request() {
        return request;
    }

    /** Type and subtype of the body in lower case; that of bytes if none is given. */
    String contentType() {
        CharSequence type = HttpUtil.getMimeType(request);
        return type == null || type.isEmpty()
                ? "application/octet-stream"
                : type.toString().strip().toLowerCase(Locale.ROOT);
    }

    @Nullable
    String charset() {
        CharSequence charset = HttpUtil.getCharsetAsSequence(request);
        return charset == null ? null : charset.toString();
    }

    /**
     * The content type to answer with: the first of the route's that the client takes.
     *
     * @throws HttpFailure by 406 if it takes none of them
     */
    String wanted() {
        return Accept.choose(String.join(",", headers().getAll(HttpHeaderNames.ACCEPT)), route().produces());
    }

    /** The body is there; the exchange owns it. */
    void body(ByteBuf arrived) {
        body = arrived;
    }

    /** The body, still the exchange's. */
    ByteBuf body() {
        return Objects.requireNonNull(body, "the route has no body");
    }

    void end() {
        if (body != null) {
            body.release();
            body = null;
        }
    }

    /** Asks a handler of the protocol. */
    CompletableFuture<Answer> ask(IntFunction<Request> asking) {
        return connection.calls().ask(asking);
    }

    HttpConnection connection() {
        return connection;
    }

    /**
     * Does work that takes long where it is on many bytes, and goes on here.
     *
     * @param bytes how many
     */
    <T> CompletableFuture<T> work(int bytes, Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        if (bytes <= QUICK_BYTES) {
            run(work, done);
            return done;
        }
        ByteBuf held = body == null ? null : body.retain();
        try {
            workers.execute(() -> {
                CompletableFuture<T> ended = new CompletableFuture<>();
                run(work, ended);
                connection.execute(() -> {
                    release(held);
                    ended.whenComplete((value, failure) -> {
                        if (failure == null) {
                            done.complete(value);
                        } else {
                            done.completeExceptionally(failure);
                        }
                    });
                });
            });
        } catch (RejectedExecutionException e) {
            release(held);
            done.completeExceptionally(HttpFailure.of(Status.BUSY, "too many large requests are under way: try again"));
        }
        return done;
    }

    private static void release(@Nullable ByteBuf held) {
        if (held != null) {
            held.release();
        }
    }

    private static <T> void run(Supplier<T> work, CompletableFuture<T> done) {
        try {
            done.complete(work.get());
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }
}
