package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.ReplyHandler;
import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Requests whose reply is a text, as futures that fail with {@link MetaqException} when there is no reply. */
final class Calls {

    private Calls() {}

    /** Any {@code result}, whatever its code. A {@code value} is released and reported as a failure. */
    static CompletableFuture<Response.Result> result(
            Link link, BrokerAddress server, String what, long timeoutMs, IntFunction<Request> request) {
        CompletableFuture<Response.Result> future = new CompletableFuture<>();
        link.call(request, timeoutMs, new ReplyHandler() {
            @Override
            public void reply(Response response) {
                if (response instanceof Response.Result result) {
                    future.complete(result);
                } else {
                    response.release();
                    future.completeExceptionally(Failures.local(what + ": " + server + " answered with data"));
                }
            }

            @Override
            public void failed(NetworkFailure failure) {
                future.completeExceptionally(Failures.network(what, failure, server, null));
            }
        });
        return future;
    }

    /** The text of a success; fails for any other code. */
    static CompletableFuture<String> text(
            Link link, BrokerAddress server, String what, long timeoutMs, IntFunction<Request> request) {
        return result(link, server, what, timeoutMs, request).thenApply(result -> success(what, result, server));
    }

    static String success(String what, Response.Result result, BrokerAddress server) {
        if (!result.ok()) {
            throw Failures.status(what, result.code(), result.text(), server, null);
        }
        return result.text();
    }

    /** A topic or group command. A 1.4 broker would close the connection over it, so it is not sent to one. */
    static CompletableFuture<Response.Result> admin(
            Link link,
            BrokerAddress server,
            long timeoutMs,
            AdminOperation operation,
            String name,
            Map<String, String> options) {
        String what = operation.family().word() + " " + operation.word() + " " + name;
        CompletableFuture<Response.Result> future = new CompletableFuture<>();
        modern(link, server, what, timeoutMs).whenComplete((modern, failure) -> {
            if (failure != null) {
                future.completeExceptionally(failure);
            } else {
                result(link, server, what, timeoutMs, opaque -> new Request.Admin(operation, name, opaque, options))
                        .whenComplete((result, error) -> {
                            if (error != null) {
                                future.completeExceptionally(error);
                            } else {
                                future.complete(result);
                            }
                        });
            }
        });
        return future;
    }

    private static CompletableFuture<ServerInfo> modern(Link link, BrokerAddress server, String what, long timeoutMs) {
        return identify(link, server, what, timeoutMs).thenApply(info -> {
            if (!info.modern()) {
                throw Failures.needsModern(what, server);
            }
            return info;
        });
    }

    /** What the broker is; connects if it was not connected yet. */
    static CompletableFuture<ServerInfo> identify(Link link, BrokerAddress server, String what, long timeoutMs) {
        ServerInfo known = link.server();
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return text(link, server, what, timeoutMs, opaque -> new Request.Version(opaque, null, null))
                .thenApply(ignored -> {
                    ServerInfo info = link.server();
                    if (info == null) {
                        throw new IllegalStateException("an answer without a negotiated connection");
                    }
                    return info;
                });
    }

    /** Waits for a future, giving its failure as it is. */
    static <T> T await(CompletableFuture<T> future, String what, Duration limit) {
        try {
            return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw rethrow(what, e.getCause());
        } catch (TimeoutException e) {
            future.cancel(false);
            throw Failures.timeout(what, null, null, true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            future.cancel(false);
            throw new MetaqException(what + ": interrupted while waiting for an answer", e);
        }
    }

    /** The exception itself if it is ours, so that callers see one kind; the waiting thread's place is added as suppressed. */
    static MetaqException rethrow(String what, @Nullable Throwable cause) {
        Throwable inner = cause == null ? new IllegalStateException("a failure without a cause") : cause;
        while (inner instanceof CompletionException wrapper && wrapper.getCause() != null) {
            inner = wrapper.getCause();
        }
        if (inner instanceof MetaqException known) {
            known.addSuppressed(new CalledHere(what));
            return known;
        }
        return new MetaqException(what + ": " + inner, inner);
    }

    /** Carries the stack of the thread that waited. */
    private static final class CalledHere extends Exception {
        private static final long serialVersionUID = 1L;

        CalledHere(String what) {
            super(what);
        }
    }
}
