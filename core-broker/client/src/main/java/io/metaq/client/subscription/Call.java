package io.metaq.client.subscription;

import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.TransactionKey;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request of a subscriber, and what becomes of it when its connection is lost: it is sent again on the next one, or it counts as done
 * because the loss had the same effect. Belongs to the loop once submitted.
 */
final class Call {
    final String what;
    final IntFunction<Request> request;
    final CompletableFuture<String> done = new CompletableFuture<>();

    /** The answer that stands for a lost connection; null for a call that is repeated. */
    private final @Nullable String whenLost;

    private Consumer<String> before = text -> {};
    private Predicate<Response.Result> alwaysFine = Response.Result::ok;
    private Predicate<Response.Result> fineWhenRepeated = result -> false;
    private Predicate<Response.Result> doubtfulWhenRepeated = result -> false;

    long deadlineNanos;

    /** It was written to a connection that was lost before the answer. */
    boolean maybeDone;

    /** The transaction that it concerns. */
    @Nullable
    TransactionKey key;

    /** Only the broker that it was first sent to can tell whether it is done. */
    boolean bound;

    /** The broker that it was first sent to, -1 before. */
    int broker = -1;

    private Call(String what, IntFunction<Request> request, @Nullable String whenLost) {
        this.what = what;
        this.request = request;
        this.whenLost = whenLost;
    }

    static Call repeated(String what, IntFunction<Request> request) {
        return new Call(what, request, null);
    }

    static Call once(String what, IntFunction<Request> request, String whenLost) {
        return new Call(what, request, whenLost);
    }

    /** A code that is a success when the call is repeated, since the first attempt may have done it. */
    Call forgivingWhenRepeated(int code) {
        return fineWhenRepeated(result -> result.code() == code);
    }

    /** An answer that is a success when the call is repeated, since the first attempt may have done it. */
    Call fineWhenRepeated(Predicate<Response.Result> answer) {
        fineWhenRepeated = answer;
        return this;
    }

    /** An answer to the repeated call that leaves open whether the first attempt did it. */
    Call doubtfulWhenRepeated(Predicate<Response.Result> answer) {
        doubtfulWhenRepeated = answer;
        return this;
    }

    /** A code that is a success. */
    Call forgiving(int code) {
        alwaysFine = alwaysFine.or(result -> result.code() == code);
        return this;
    }

    /** Done on the loop before anybody hears of the success. */
    Call before(Consumer<String> action) {
        before = action;
        return this;
    }

    Call boundToItsBroker() {
        bound = true;
        return this;
    }

    /** What it asks makes sense only to the broker that has the transaction. */
    Call of(TransactionKey transaction) {
        key = transaction;
        return boundToItsBroker();
    }

    boolean isRepeated() {
        return whenLost == null;
    }

    /** For a call that is not repeated. */
    void lost() {
        if (whenLost == null) {
            throw new IllegalStateException(what + " is to be repeated");
        }
        succeed(whenLost);
    }

    boolean isSuccess(Response.Result result) {
        return alwaysFine.test(result) || maybeDone && fineWhenRepeated.test(result);
    }

    boolean isDoubtful(Response.Result result) {
        return maybeDone && doubtfulWhenRepeated.test(result);
    }

    void succeed(String text) {
        before.accept(text);
        done.complete(text);
    }

    void fail(RuntimeException failure) {
        done.completeExceptionally(failure);
    }

    CompletableFuture<@Nullable Void> whenDone() {
        return done.thenApply(text -> null);
    }
}
