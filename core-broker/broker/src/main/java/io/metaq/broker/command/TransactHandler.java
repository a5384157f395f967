package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.broker.subscription.Attachments.Attached;
import io.metaq.broker.subscription.Refused;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.TransactCursor;
import io.metaq.state.Outcome;
import io.metaq.state.Partition;
import io.metaq.state.Refusal;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.TransactionProposal;
import io.metaq.state.dispatch.AckTicket;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@code transact}: messages and acknowledgements in one record. What is acknowledged is claimed from its dispatches
 * first, so that nobody else gets it while the record is under way; a refusal leaves it with its consumers.
 */
final class TransactHandler implements CommandHandler {
    /** No subscription has it: a record that acknowledges on it takes effect only as the resend of one that did. */
    private static final int NO_SUBSCRIPTION = -1;

    private final Store store;
    private final TopicCatalog topics;
    private final DiskGuard disk;
    private final Clock clock;

    TransactHandler(HandlerContext context) {
        this.store = context.store();
        this.topics = context.topics();
        this.disk = context.disk();
        this.clock = context.clock();
    }

    private record Claim(Attached consumer, AckTicket ticket) {}

    /** A transaction under way. */
    private final class Step {
        private final Request.Transact request;
        private final Session session;
        private final TransactionProposal.Parts parts = new TransactionProposal.Parts();
        private final List<CompletableFuture<Claim>> claims = new ArrayList<>();
        private final List<Change> creations = new ArrayList<>();
        private final int bytes;

        Step(Request.Transact request, Session session) {
            this.request = request;
            this.session = session;
            this.bytes = request.body().readableBytes();
            session.taken(bytes);
        }

        /** What of its topics has to be created before it can be looked at. */
        void findMissing() {
            TransactCursor cursor = new TransactCursor(request.body());
            while (cursor.next()) {
                String name = cursor.topic();
                if (cursor.isMessages() && topics.topic(name) == null && !TemporaryTopics.isTemporary(name)) {
                    topics.onFirstMessage(name).ifPresent(creations::add);
                }
            }
        }

        void read() {
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
                            .ask(dispatch -> new Claim(consumer, dispatch.claim(consumer.subscriber(), ranges))));
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

        /** Nothing comes of it; what was claimed before its fault was found is given back. */
        void abandon(Refused why) {
            CompletableFuture.allOf(claims.toArray(CompletableFuture[]::new))
                    .whenComplete((done, failure) -> session.later(() -> {
                        giveBack();
                        answer(why);
                    }));
        }

        /** All claims are there, or some failed. */
        void claimed(@Nullable Throwable failure) {
            int missed = 0;
            for (CompletableFuture<Claim> future : claims) {
                Claim claim = future.isCompletedExceptionally() ? null : future.join();
                missed += claim == null ? 1 : claim.ticket().missed();
            }
            if (failure == null && missed == 0) {
                for (CompletableFuture<Claim> future : claims) {
                    acknowledge(future.join());
                }
                propose(parts, null);
            } else if (request.idempotent()) {
                // Its messages are gone, perhaps because it was done before: the record finds out.
                giveBack();
                TransactionProposal.Parts nothing =
                        new TransactionProposal.Parts().acknowledge(NO_SUBSCRIPTION, MessageRanges.of(0, 0, 1, 1));
                propose(nothing, conflict(missed));
            } else {
                giveBack();
                answer(conflict(missed));
            }
        }

        private Refused conflict(int missed) {
            return new Refused(
                    Status.CONFLICT,
                    missed + " of the messages to acknowledge were given to somebody else meanwhile, or are done");
        }

        private void acknowledge(Claim claim) {
            Subscription subscription = claim.consumer().host().subscription();
            if (!subscription.isTransient() && !claim.ticket().ranges().isEmpty()) {
                parts.acknowledge(subscription.id(), claim.ticket().ranges());
            }
        }

        /** @param otherwise what to answer when the record turns out to be no resend; null if it is no question */
        private void propose(TransactionProposal.Parts proposed, @Nullable Refused otherwise) {
            if (proposed.isEmpty()) {
                finish(Outcome.DONE, null, otherwise);
                return;
            }
            store.propose(
                    new TransactionProposal(
                            request.producerId(),
                            request.idempotent() ? request.sequence() : 0,
                            clock.millis(),
                            Durability.DISK,
                            proposed) {
                        @Override
                        public void committed() {
                            session.later(() -> finish(outcome(), null, otherwise));
                        }

                        @Override
                        public void failed(Throwable cause) {
                            session.later(() -> finish(Outcome.DONE, cause, otherwise));
                        }
                    });
        }

        private void finish(Outcome outcome, @Nullable Throwable failure, @Nullable Refused otherwise) {
            boolean done = failure == null && outcome instanceof Outcome.Done;
            if (otherwise == null) {
                settle(done);
            }
            if (failure != null) {
                answer(new Refused(ErrorTexts.status(failure), ErrorTexts.text(failure)));
            } else if (done) {
                answer(null);
            } else if (outcome instanceof Outcome.Refused refused) {
                boolean unknown = otherwise != null && refused.reason() == Refusal.UNKNOWN_SUBSCRIPTION;
                answer(unknown ? otherwise : new Refused(ErrorTexts.status(refused.reason()), refused.text()));
            }
        }

        private void settle(boolean done) {
            for (CompletableFuture<Claim> future : claims) {
                Claim claim = future.join();
                claim.consumer().host().execute(dispatch -> {
                    if (done) {
                        dispatch.acknowledged(claim.ticket());
                    } else {
                        claim.ticket().refused();
                    }
                });
            }
        }

        private void giveBack() {
            for (CompletableFuture<Claim> future : claims) {
                if (!future.isCompletedExceptionally()) {
                    Claim claim = future.join();
                    claim.consumer().host().execute(dispatch -> claim.ticket().refused());
                }
            }
        }

        void answer(@Nullable Refused refused) {
            request.release();
            if (refused == null) {
                session.reply(Status.OK, "", request.opaque());
            } else {
                session.reply(refused.status(), refused.text(), request.opaque());
            }
            session.written(bytes);
            session.release();
        }
    }

    @Override
    public void handle(Request request, Session session) {
        Step step = new Step((Request.Transact) request, session);
        session.hold();
        if (disk.refuses()) {
            step.answer(new Refused(Status.STORAGE_FULL, "the broker's disk is full: make room"));
            return;
        }
        try {
            step.findMissing();
        } catch (ProtocolException e) {
            step.answer(new Refused(e.status(), String.valueOf(e.getMessage())));
            return;
        }
        CompletableFuture<?>[] created = step.creations.stream()
                .map(creation -> store.change(creation, Durability.DISK))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(created).whenComplete((done, failure) -> session.later(() -> begin(step, failure)));
    }

    private static void begin(Step step, @Nullable Throwable failure) {
        if (failure != null) {
            step.answer(new Refused(ErrorTexts.status(failure), ErrorTexts.text(failure)));
            return;
        }
        try {
            step.read();
        } catch (Refused e) {
            step.abandon(e);
            return;
        } catch (ProtocolException e) {
            step.abandon(new Refused(e.status(), String.valueOf(e.getMessage())));
            return;
        }
        CompletableFuture.allOf(step.claims.toArray(CompletableFuture[]::new))
                .whenComplete((done, missing) -> step.session.later(() -> step.claimed(missing)));
    }

    private static Refused refused(Status status, int part, String text) {
        return new Refused(status, "part " + part + ": " + text);
    }

    private static ByteBuffer contiguous(ByteBuf body) {
        if (body.nioBufferCount() == 1) {
            return body.nioBuffer();
        }
        byte[] bytes = new byte[body.readableBytes()];
        body.getBytes(body.readerIndex(), bytes);
        return ByteBuffer.wrap(bytes);
    }
}
