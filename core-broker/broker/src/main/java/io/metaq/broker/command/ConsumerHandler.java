package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.subscription.Attachments;
import io.metaq.broker.subscription.Attachments.Attached;
import io.metaq.broker.subscription.HostedDispatch;
import io.metaq.protocol.Ranges;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.codec.PercentCode;
import io.metaq.state.dispatch.AckAnswer;
import io.metaq.state.dispatch.ClaimedRanges;
import org.jspecify.annotations.Nullable;

/** {@code attach} and what a client does with an attached consumer: credit, drain, ack, reject, release, detach. */
final class ConsumerHandler implements CommandHandler {
    private final Attachments attachments;

    ConsumerHandler(Attachments attachments) {
        this.attachments = attachments;
    }

    static SessionConsumers consumers(Session session) {
        return session.part(SessionConsumers.class, () -> {
            SessionConsumers consumers = new SessionConsumers();
            session.onClose(consumers::lost);
            return consumers;
        });
    }

    @Override
    public void handle(Request request, Session session) {
        if (request instanceof Request.Attach attach) {
            attach(attach, session);
            return;
        }
        Request.OfConsumer asked = (Request.OfConsumer) request;
        SessionConsumers consumers = consumers(session);
        Attached consumer = request instanceof Request.Detach
                ? consumers.remove(asked.consumer())
                : consumers.get(asked.consumer());
        if (consumer != null) {
            handle(asked, consumer, session);
        } else if (!(request instanceof Request.Credit) && !(request instanceof Request.Ack ack && !ack.answered())) {
            session.reply(Status.NOT_FOUND, "there is no consumer " + asked.consumer(), request.opaque());
        }
    }

    private void attach(Request.Attach attach, Session session) {
        SessionConsumers consumers = consumers(session);
        int number = attach.consumer();
        if (!consumers.reserve(number)) {
            session.reply(Status.BAD_REQUEST, "consumer " + number + " is there already", attach.opaque());
            return;
        }
        session.hold();
        attachments
                .attach(attach, session, () -> session.later(() -> ended(number, session)))
                .whenComplete((attached, failure) -> session.later(() -> attached(attach, session, attached, failure)));
    }

    private static void attached(
            Request.Attach attach, Session session, @Nullable Attached attached, @Nullable Throwable failure) {
        SessionConsumers consumers = consumers(session);
        consumers.settle(attach.consumer(), attached);
        if (attached == null) {
            session.reply(
                    failure == null ? Status.FAILED : ErrorTexts.status(failure),
                    failure == null ? "" : ErrorTexts.text(failure),
                    attach.opaque());
        } else {
            session.reply(
                    Status.OK,
                    "subscription " + PercentCode.encode(attach.name()) + "\r\nconsumer " + attach.consumer(),
                    attach.opaque());
        }
        if (!session.open()) {
            consumers.lost();
        }
        session.release();
    }

    /** The broker has ended a consumer. */
    private static void ended(int number, Session session) {
        Attached ended = consumers(session).remove(number);
        if (ended != null) {
            ended.host().detached();
        }
    }

    private static void handle(Request.OfConsumer request, Attached consumer, Session session) {
        HostedDispatch host = consumer.host();
        if (request instanceof Request.Credit credit) {
            host.execute(dispatch -> dispatch.credit(consumer.subscriber(), credit.messages(), credit.bytes()));
        } else if (request instanceof Request.Ack ack) {
            acknowledge(ack, consumer, session);
        } else if (request instanceof Request.Drain drain) {
            host.execute(dispatch -> dispatch.drain(
                    consumer.subscriber(),
                    drain.messages(),
                    delivered -> reply(session, host, Integer.toString(delivered), drain.opaque())));
        } else if (request instanceof Request.Reject reject) {
            host.execute(dispatch -> {
                dispatch.reject(consumer.subscriber(), claimed(reject.ranges()), reject.delayMs(), reject.dead());
                reply(session, host, "", reject.opaque());
            });
        } else if (request instanceof Request.Release release) {
            host.execute(dispatch -> {
                dispatch.release(consumer.subscriber(), claimed(release.ranges()));
                reply(session, host, "", release.opaque());
            });
        } else if (request instanceof Request.Detach detach) {
            host.execute(dispatch -> {
                dispatch.detach(consumer.subscriber(), claimed(detach.delivered()));
                reply(session, host, "", detach.opaque());
            });
            host.detached();
        }
    }

    private static void acknowledge(Request.Ack ack, Attached consumer, Session session) {
        HostedDispatch host = consumer.host();
        AckAnswer answer = !ack.answered()
                ? AckAnswer.NONE
                : (acknowledged, missed, failure) -> {
                    if (failure == null) {
                        reply(session, host, "acknowledged " + acknowledged + " missed " + missed, ack.opaque());
                    } else {
                        session.reply(ErrorTexts.status(failure), ErrorTexts.text(failure), ack.opaque());
                        host.touch(session);
                    }
                };
        host.execute(dispatch -> dispatch.acknowledge(consumer.subscriber(), claimed(ack.ranges()), answer));
    }

    static ClaimedRanges claimed(Ranges ranges) {
        return visitor -> ranges.forEach(visitor::range);
    }

    private static void reply(Session session, HostedDispatch host, String text, int opaque) {
        session.reply(Status.OK, text, opaque);
        host.touch(session);
    }
}
