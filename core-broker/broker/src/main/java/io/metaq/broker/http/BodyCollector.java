package io.metaq.broker.http;

import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicLong;

/** The body of a request as it arrives, within what one may have and what all together may have. */
final class BodyCollector {
    private final int limit;
    private final Buffered buffered;
    private final CompositeByteBuf parts = new CompositeByteBuf(UnpooledByteBufAllocator.DEFAULT, false, 64);
    private int counted;

    /** The bytes of bodies that all connections together hold. */
    static final class Buffered {
        private final AtomicLong bytes = new AtomicLong();
        private final long limit;

        Buffered(long limit) {
            this.limit = limit;
        }

        private boolean take(int more) {
            if (bytes.addAndGet(more) <= limit) {
                return true;
            }
            bytes.addAndGet(-more);
            return false;
        }

        private void give(int less) {
            bytes.addAndGet(-less);
        }
    }

    BodyCollector(int limit, Buffered buffered) {
        this.limit = limit;
        this.buffered = buffered;
    }

    /** @throws HttpFailure if that is too much */
    void add(ByteBuf part) {
        int more = part.readableBytes();
        if (more > limit - parts.readableBytes()) {
            throw RequestFaults.tooLarge(limit);
        }
        if (!buffered.take(more)) {
            throw HttpFailure.of(Status.BUSY, "too many bytes of requests are under way: try again");
        }
        counted += more;
        if (more > 0) {
            parts.addComponent(true, part.retain());
        }
    }

    /** What has arrived; the caller's from now on. */
    ByteBuf whole() {
        if (parts.numComponents() == 0) {
            parts.release();
            return Unpooled.EMPTY_BUFFER;
        }
        return parts;
    }

    /** The bytes are let go of. */
    void free() {
        buffered.give(counted);
        counted = 0;
    }
}
