package io.metaq.client.subscription;

import io.metaq.protocol.Request;
import io.netty.buffer.Unpooled;
import java.security.SecureRandom;
import java.util.function.IntFunction;

/** Numbers a subscriber's transactions, so that the broker recognises one that is sent again. Belongs to the loop, but for its making. */
final class TransactionNumbers {
    private final long producerId = new SecureRandom().nextLong() | 1;
    private long next;

    /** A call for the body, which is repeated with its numbers, but not at another broker, which does not know them. */
    Call call(byte[] body) {
        return Call.repeated("transact", new Numbered(body)).boundToItsBroker();
    }

    /** Takes its number when it is first written: the broker has to see them in their order, whichever thread commits first. */
    private final class Numbered implements IntFunction<Request> {
        private final byte[] body;
        private long sequence = Request.ABSENT;

        Numbered(byte[] body) {
            this.body = body;
        }

        @Override
        public Request apply(int opaque) {
            if (sequence == Request.ABSENT) {
                sequence = next++;
            }
            return new Request.Transact(Unpooled.wrappedBuffer(body), opaque, producerId, sequence);
        }
    }
}
