package io.metaq.broker.command;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Reply;
import io.metaq.broker.net.Session;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.log.partition.LogSlice;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.BrokerState;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code get} and {@code offset}: from partition logs straight to the socket. */
final class FetchHandler implements CommandHandler {
    private static final Logger LOG = LoggerFactory.getLogger(FetchHandler.class);

    private final BrokerConfig config;
    private final BrokerState state;
    private final TopicCatalog topics;
    private final BrokerCounters counters;
    private final ErrorTexts texts;

    FetchHandler(HandlerContext context) {
        this.config = context.config();
        this.state = context.store().state();
        this.topics = context.topics();
        this.counters = context.counters();
        this.texts = context.texts();
    }

    @Override
    public void handle(Request request, Session session) {
        try {
            if (request instanceof Request.Get get) {
                counters.add(get.topic(), BrokerCounters.Item.GET);
                get(get, session, get.waitMs() > 0);
            } else if (request instanceof Request.Offset offset) {
                counters.add(offset.topic(), BrokerCounters.Item.OFFSET);
                offset(offset, session);
            }
        } catch (IOException e) {
            LOG.error("{} from {} failed", request, session, e);
            session.reply(Status.FAILED, "the partition log cannot be read: " + e.getMessage(), request.opaque());
        }
    }

    private void get(Request.Get get, Session session, boolean mayWait) throws IOException {
        Topic topic = topics.topic(get.topic());
        Partition partition = topic == null ? null : topic.partition(get.partition());
        if (topic == null || partition == null) {
            miss(get, ErrorTexts.noStore(get.topic(), get.partition()), session);
        } else if (!partition.subscribeOpen()) {
            session.reply(Status.FORBIDDEN, texts.subscribeClosed(get.partition()), get.opaque());
        } else if (!topics.settings(topic).acceptSubscribe()) {
            session.reply(Status.FORBIDDEN, "the topic gives no messages (acceptSubscribe=false)", get.opaque());
        } else if (get.maxSize() <= 0) {
            session.reply(Status.BAD_REQUEST, "Bad request,invalid max size:" + get.maxSize(), get.opaque());
        } else if (get.offset() < partition.log().startOffset()) {
            session.reply(Status.MOVED, Long.toString(partition.log().startOffset()), get.opaque());
        } else {
            read(get, partition, session, mayWait);
        }
    }

    private void read(Request.Get get, Partition partition, Session session, boolean mayWait) throws IOException {
        long end = partition.log().endOffset();
        boolean enough = end - get.offset() >= Math.max(1, get.minBytes());
        if (mayWait && !enough && get.offset() <= end && session.open()) {
            hold(get, partition, session, end);
        } else if (get.offset() >= end) {
            atEnd(get, partition, end, session);
        } else {
            slice(get, partition, session);
        }
    }

    private void slice(Request.Get get, Partition partition, Session session) throws IOException {
        LogSlice slice = partition.log().slice(get.offset(), Math.min(config.maxTransferSize(), get.maxSize()));
        if (slice == null) {
            // Retention took the place between the look and the read.
            session.reply(Status.MOVED, Long.toString(partition.log().startOffset()), get.opaque());
        } else if (slice.length() == 0) {
            long next = slice.nextOffset();
            slice.release();
            session.reply(Status.MOVED, Long.toString(next), get.opaque());
        } else {
            session.value(slice, get.opaque());
        }
    }

    private void atEnd(Request.Get get, Partition partition, long end, Session session) {
        boolean beyond = get.offset() > end;
        if (beyond && (config.updateConsumerOffsets() || get.offset() == Long.MAX_VALUE)) {
            counters.add(get.topic(), BrokerCounters.Item.GET_MISS);
            session.reply(Status.MOVED, Long.toString(end), get.opaque());
        } else if (end == 0) {
            miss(get, ErrorTexts.noStore(get.topic(), partition.name().partition()), session);
        } else {
            miss(get, ErrorTexts.noMessage(get.offset()), session);
        }
    }

    private void miss(Request.Get get, String text, Session session) {
        counters.add(get.topic(), BrokerCounters.Item.GET_MISS);
        session.reply(Status.NOT_FOUND, text, get.opaque());
    }

    private void hold(Request.Get get, Partition partition, Session session, long end) {
        HeldGets ofSession = session.part(HeldGets.class, () -> {
            HeldGets gets = new HeldGets();
            session.onClose(gets::lost);
            return gets;
        });
        HeldGet held = new HeldGet(get, partition, session, ofSession);
        ofSession.waiting.add(held);
        held.cancelTimer = session.after(Math.min(get.waitMs(), config.maxGetWait()), held::timeUp);
        held.rest(end);
    }

    /** The gets of one connection that wait: nothing is left of them when it is gone. On its event loop. */
    private static final class HeldGets {
        private final Set<HeldGet> waiting = new HashSet<>();

        void lost() {
            waiting.forEach(HeldGet::forget);
            waiting.clear();
        }
    }

    /** A get that waits at the end of its partition: for data, or for its time to be up. On its event loop. */
    private final class HeldGet implements Reply {
        private final Request.Get get;
        private final Partition partition;
        private final Session session;
        private final HeldGets ofSession;
        private final Runnable advanced = () -> this.session().later(this);
        private Runnable cancelTimer = () -> {};
        private boolean answered;

        HeldGet(Request.Get get, Partition partition, Session session, HeldGets ofSession) {
            this.get = get;
            this.partition = partition;
            this.session = session;
            this.ofSession = ofSession;
        }

        private void rest(long knownEnd) {
            partition.onAdvance(knownEnd, advanced);
        }

        private void timeUp() {
            if (!answered) {
                partition.forget(advanced);
                answer();
            }
        }

        /** There is nobody left to answer. */
        private void forget() {
            answered = true;
            cancelTimer.run();
            partition.forget(advanced);
        }

        @Override
        public Session session() {
            return session;
        }

        @Override
        public void reply() {
            if (answered) {
                return;
            }
            long end = partition.log().endOffset();
            boolean gone = state.partition(get.topic(), get.partition()) != partition || !partition.subscribeOpen();
            if (gone || end - get.offset() >= Math.max(1, get.minBytes())) {
                cancelTimer.run();
                answer();
            } else {
                rest(end);
            }
        }

        private void answer() {
            answered = true;
            ofSession.waiting.remove(this);
            try {
                get(get, session, false);
            } catch (IOException e) {
                LOG.error("{} from {} failed", get, session, e);
                session.reply(Status.FAILED, "the partition log cannot be read: " + e.getMessage(), get.opaque());
            }
        }
    }

    private void offset(Request.Offset request, Session session) throws IOException {
        Partition partition = state.partition(request.topic(), request.partition());
        boolean extended = request.at() != null || request.timeMs() != Request.ABSENT;
        if (partition == null || !extended && partition.log().endOffset() == 0) {
            session.reply(Status.NOT_FOUND, ErrorTexts.noStore(request.topic(), request.partition()), request.opaque());
            return;
        }
        session.reply(Status.OK, Long.toString(place(request, partition, request.at())), request.opaque());
    }

    private static long place(Request.Offset request, Partition partition, Request.@Nullable Edge at)
            throws IOException {
        if (at != null) {
            return at == Request.Edge.FIRST
                    ? partition.log().startOffset()
                    : partition.log().endOffset();
        } else if (request.timeMs() != Request.ABSENT) {
            return partition.log().offsetForTime(request.timeMs());
        }
        long start = partition.log().startOffset();
        long end = partition.log().endOffset();
        if (request.offset() < start) {
            return start;
        }
        return request.offset() >= end ? end : partition.log().segmentStart(request.offset());
    }
}
