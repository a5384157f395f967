package io.metaq.jms.consumer;

import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Delivery;

/** What the broker may still deliver, and how much of that a consumer asks for. The owner synchronises. */
final class Credit {

    private final int mostBytes;
    private int messages;
    private long bytes;

    /** @param mostBytes most that may be delivered or wait, but for one message */
    Credit(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    boolean isNone() {
        return messages == 0;
    }

    void used(Delivery message) {
        messages = Math.max(0, messages - 1);
        bytes -= message.endOffset() - message.offset();
    }

    void forget() {
        messages = 0;
        bytes = 0;
    }

    /** Gives more, once half of what there may be has been used up. */
    void refill(int mostMessages, Buffer waiting, AttachedConsumer consumer) {
        int have = messages + waiting.size();
        long haveBytes = Math.max(0, bytes) + waiting.bytes();
        int more = have <= mostMessages / 2 ? mostMessages - have : 0;
        long moreBytes = haveBytes <= mostBytes / 2 ? mostBytes - haveBytes + Math.max(0, -bytes) : 0;
        if (more > 0 || (moreBytes > 0 && messages > 0)) {
            messages += more;
            bytes += moreBytes;
            consumer.credit(more, (int) Math.min(Integer.MAX_VALUE, moreBytes));
        }
    }
}
