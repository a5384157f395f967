package io.metaq.xa;

import io.metaq.client.MetaqException;
import io.metaq.client.TransactionException;
import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.protocol.TransactionKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.transaction.xa.XAException;

/** A broker's transactions by a link of the client. Translates failures: what is not known to have failed is XAER_RMFAIL. */
public final class LinkResourceManager implements ResourceManager {

    private static final int FIRST_REFUSAL = 400;
    private static final int LAST_REFUSAL = 499;

    private final SubscriberLink link;
    private final long timeoutMs;

    /** @param timeoutMs how long a call waits for the broker, reconnects included */
    public LinkResourceManager(SubscriberLink link, long timeoutMs) {
        this.link = link;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public String id() {
        return link.resourceManagerId();
    }

    @Override
    public int enlist(String key, Then then, TransactionParts parts, boolean begun, int timeoutSeconds)
            throws XAException {
        Enlistment step = new Enlistment(
                TransactionKey.parse(key), parts, Enlistment.Then.valueOf(then.name()), timeoutSeconds, begun);
        return await(() -> link.enlist(step), "enlist " + key, true);
    }

    @Override
    public void finish(String key, Step step) throws XAException {
        TransactionStep wanted = switch (step) {
            case COMMIT -> TransactionStep.COMMIT_TWO_PHASE;
            case ROLLBACK -> TransactionStep.ROLLBACK;
            case FORGET -> TransactionStep.FORGET;
        };
        await(() -> link.transaction(TransactionKey.parse(key), wanted), step + " " + key, false);
    }

    @Override
    public List<String> recover() throws XAException {
        return await(() -> link.recover(XidKey.QUALIFIER), "recover", false).stream()
                .map(TransactionKey.Xa::token)
                .toList();
    }

    /** @param undone whether a refusal means that nothing is done, and the branch cannot be completed */
    private <T> T await(Supplier<CompletableFuture<T>> call, String what, boolean undone) throws XAException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        CompletableFuture<T> answer = link.settled(call, Duration.ofMillis(timeoutMs));
        try {
            return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failed(e.getCause() == null ? e : e.getCause(), what, undone);
        } catch (TimeoutException e) {
            throw XaFailures.of(XAException.XAER_RMFAIL, what + ": no answer within " + timeoutMs + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw XaFailures.of(XAException.XAER_RMFAIL, what + ": interrupted while waiting for the answer", e);
        }
    }

    private static XAException failed(Throwable failure, String what, boolean undone) {
        String text = what + ": " + failure.getMessage();
        if (failure instanceof MetaqException known && !known.isOutcomeUnknown()) {
            if (known instanceof TransactionException refused) {
                return XaFailures.of(refused.xaCode(), text, known);
            }
            boolean refusal = known.code() >= FIRST_REFUSAL && known.code() <= LAST_REFUSAL && !known.isRetriable();
            if (undone && refusal) {
                return XaFailures.of(XAException.XA_RBINTEGRITY, text, known);
            }
        }
        return XaFailures.of(XAException.XAER_RMFAIL, text, failure);
    }
}
