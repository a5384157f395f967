package io.metaq.jms.transport;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Ids of one connection and of its messages: unique without asking anybody. */
public final class MessageIds {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RADIX = 36;

    private final String connection;
    private final String prefix;
    private final AtomicLong next = new AtomicLong();

    /** A connection's ids: 80 random bits make it unlikely that two connections ever have the same. */
    public MessageIds() {
        connection = Long.toUnsignedString(RANDOM.nextLong(), RADIX) + Integer.toString(RANDOM.nextInt(1 << 16), RADIX);
        prefix = "ID:" + connection + "-";
    }

    /** The connection's own id: letters and digits. */
    public String connection() {
        return connection;
    }

    /** A new message's id. */
    public String next() {
        return prefix + Long.toString(next.incrementAndGet(), RADIX);
    }
}
