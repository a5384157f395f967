package io.metaq.broker.command;

import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.broker.subscription.Attachments.Attached;
import io.metaq.broker.subscription.Refused;
import io.metaq.broker.transaction.PassingAcknowledgements.Held;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.TransactCursor;
import io.metaq.state.Partition;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.TransactionProposal;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.Subscription;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request with messages and acknowledgements that take effect together. What is acknowledged is claimed from its
 * dispatches first, so that nobody else gets it while the record is under way; a refusal leaves it with its consumers.
 */
abstract class PartsStep {
    final Request.WithBody request;
    final Session session;
    private final Store store;
    private final TopicCatalog topics;
    private final DiskGuard disk;
    private final TransactionProposal.Parts parts = new TransactionProposal.Parts();
    private final List<CompletableFuture<Held>> claims = new ArrayList<>();
    private final List<Change> creations = new ArrayList<>();
    private final int bytes;

    PartsStep(HandlerContext context, Request.WithBody request, Session session) {
        this.request = request;
        this.session = session;
        this.store = context.store();
        this.topics = context.topics();
        this.disk = context.disk();
        this.bytes = request.body().readableBytes();
        session.taken(bytes);
        session.hold();
    }

    /** Whether the request is numbered, so that it may be the resend of one that was carried out. */
    abstract boolean idempotent();

    /** Puts the parts into the journal; all that is acknowledged has been claimed. */
    abstract void propose(TransactionProposal.Parts parts);

    /** Finds out from the journal whether this was carried out before; answers {@code otherwise} if it was not. */
    abstract void proposeResend(Refused otherwise);

    /** Carries the request out, and answers it. On the connection's event loop. */
    final void start() {
        try {
            // Acknowledgements alone are taken by a full disk, too: they make room.
            if (findMissing() && disk.refuses()) {
                refuse(new Refused(Status.STORAGE_FULL, "the broker's disk is full: make room"));
                return;
            }
        } catch (ProtocolException e) {
            refuse(new Refused(e.status(), String.valueOf(e.getMessage())));
            return;
        }
        if (creations.isEmpty()) {
            begin(null);
            return;
        }
        CompletableFuture<?>[] created = creations.stream()
                .map(creation -> store.change(creation, Durability.DISK))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(created).whenComplete((done, failure) -> session.later(() -> begin(failure)));
    }

    /** What of its topics has to be created before it can be looked at. @return whether there are messages */
    private boolean findMissing() {
        boolean sends = false;
        TransactCursor cursor = new TransactCursor(request.body());
        while (cursor.next()) {
            if (cursor.isMessages()) {
                sends = true;
                String name = cursor.topic();
                if (topics.topic(name) == null && !TemporaryTopics.isTemporary(name)) {
                    topics.onFirstMessage(name).ifPresent(creations::add);
                }
            }
        }
        return sends;
    }

    private void begin(@Nullable Throwable failure) {
        if (failure != null) {
            refuse(new Refused(ErrorTexts.status(failure), ErrorTexts.text(failure)));
            return;
        }
        try {
            read();
        } catch (Refused e) {
            abandon(e);
            return;
        } catch (ProtocolException e) {
            abandon(new Refused(e.status(), String.valueOf(e.getMessage())));
            return;
        }
        if (claims.isEmpty()) {
            claimed(null);
            return;
        }
        CompletableFuture.allOf(claims.toArray(CompletableFuture[]::new))
                .whenComplete((done, missing) -> session.later(() -> claimed(missing)));
    }

    private void read() {
        TransactCursor cursor = new TransactCursor(request.body());
        SessionConsumers consumers = ConsumerHandler.consumers(session);
        for (int part = 0; cursor.next(); part++) {
            if (cursor.isMessages()) {
                messages(part, cursor);
            } else {
                Attached consumer = consumers.get(cursor.consumer());
                if (consumer == null) {
                    throw refused(Status.NOT_FOUND, part, "there is no consumer " + cursor.consumer());
                }
                var ranges = ConsumerHandler.claimed(cursor.ranges());
                claims.add(consumer.host()
                        .ask(dispatch -> new Held(consumer.host(), dispatch.claim(consumer.subscriber(), ranges))));
            }
        }
    }

    private void messages(int part, TransactCursor cursor) {
        Topic topic = topics.topic(cursor.topic());
        if (topic == null) {
            throw refused(Status.NOT_FOUND, part, "there is no topic " + cursor.topic());
        }
        Partition partition = topic.partition(cursor.partition());
        if (partition == null) {
            throw refused(Status.NOT_FOUND, part, topic.name() + " has no partition " + cursor.partition());
        } else if (!partition.publishOpen() || !topics.settings(topic).acceptPublish()) {
            throw refused(Status.FORBIDDEN, part, topic.name() + " takes no messages");
        }
        String fault = ProduceHandler.complete(cursor.messages(), cursor.count());
        if (fault != null) {
            throw refused(Status.BAD_REQUEST, part, fault);
        }
        parts.messages(topic.id(), cursor.partition(), cursor.count(), contiguous(cursor.messages()));
    }

    private static Refused refused(Status status, int part, String text) {
        return new Refused(status, "part " + part + ": " + text);
    }

    private static ByteBuffer contiguous(ByteBuf body) {
        if (body.nioBufferCount() == 1) {
            return body.nioBuffer();
        }
        byte[] copied = new byte[body.readableBytes()];
        body.getBytes(body.readerIndex(), copied);
        return ByteBuffer.wrap(copied);
    }

    /** Nothing comes of it; what was claimed before its fault was found is given back. */
    private void abandon(Refused why) {
        CompletableFuture.allOf(claims.toArray(CompletableFuture[]::new))
                .whenComplete((done, failure) -> session.later(() -> {
                    giveBack();
                    refuse(why);
                }));
    }

    /** All claims are there, or some failed. */
    private void claimed(@Nullable Throwable failure) {
        int missed = 0;
        for (CompletableFuture<Held> future : claims) {
            missed += future.isCompletedExceptionally()
                    ? 1
                    : future.join().ticket().missed();
        }
        if (failure == null && missed == 0) {
            claims.forEach(claim -> acknowledge(claim.join()));
            propose(parts);
            return;
        }
        giveBack();
        Refused conflict = new Refused(
                Status.CONFLICT,
                missed + " of the messages to acknowledge were given to somebody else meanwhile, or are done");
        if (idempotent()) {
            // Its messages are gone, perhaps because it was done before: the record finds out.
            proposeResend(conflict);
        } else {
            refuse(conflict);
        }
    }

    private void acknowledge(Held claim) {
        Subscription subscription = claim.host().subscription();
        if (!subscription.isTransient() && !claim.ticket().ranges().isEmpty()) {
            parts.acknowledge(subscription.id(), claim.ticket().ranges());
        }
    }

    private void giveBack() {
        for (CompletableFuture<Held> future : claims) {
            if (!future.isCompletedExceptionally()) {
                Held claim = future.join();
                claim.host().execute(dispatch -> claim.ticket().refused());
            }
        }
    }

    /** What was claimed is gone from its dispatches, or, if nothing came of it, back with its consumers. */
    final void settle(boolean done) {
        if (!done) {
            giveBack();
            return;
        }
        for (CompletableFuture<Held> future : claims) {
            Held claim = future.join();
            claim.host().execute(dispatch -> dispatch.acknowledged(claim.ticket()));
        }
    }

    /** Whether it acknowledges on subscriptions that no record knows. */
    final boolean claimsPassing() {
        return claims.stream()
                .anyMatch(claim -> claim.join().host().subscription().isTransient());
    }

    /** What was claimed is locked by a transaction; the result are the claims on subscriptions that no record knows. */
    final List<Held> lock() {
        List<Held> passing = new ArrayList<>();
        for (CompletableFuture<Held> future : claims) {
            Held claim = future.join();
            claim.host().execute(dispatch -> dispatch.locked(claim.ticket()));
            if (claim.host().subscription().isTransient()) {
                passing.add(claim);
            }
        }
        return passing;
    }

    final void refuse(Refused refused) {
        answer(refused.status(), refused.text());
    }

    final void answer(Status status, String text) {
        answer(new Response.Result(status, text, request.opaque()));
    }

    final void answer(Response.Result result) {
        request.release();
        session.reply(result);
        session.written(bytes);
        session.release();
    }
}
