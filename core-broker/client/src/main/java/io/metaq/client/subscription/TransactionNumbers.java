package io.metaq.client.subscription;

import io.metaq.protocol.Request;
import io.netty.buffer.Unpooled;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Numbers a subscriber's transactions, so that the broker recognises one that is sent again. */
final class TransactionNumbers {
    private final long producerId = new SecureRandom().nextLong() | 1;
    private final AtomicLong next = new AtomicLong();

    /** A call for the body, which is repeated with its numbers, but not at another broker, which does not know them. */
    Call call(byte[] body) {
        long sequence = next.getAndIncrement();
        return Call.repeated(
                        "transact",
                        opaque -> new Request.Transact(Unpooled.wrappedBuffer(body), opaque, producerId, sequence))
                .boundToItsBroker();
    }
}
