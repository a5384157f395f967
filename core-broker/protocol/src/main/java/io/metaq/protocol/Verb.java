package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** The first word of every frame. Only these exact lower-case words open one; anything else costs the connection. */
public enum Verb {
    PUT("put"),
    APPEND("append"),
    GET("get"),
    OFFSET("offset"),
    STATS("stats"),
    VERSION("version"),
    QUIT("quit"),
    TRANSACTION("transaction"),
    SYNC("sync"),
    TOPIC("topic"),
    GROUP("group"),
    LOGIN("login"),
    CLIENT("client"),
    ATTACH("attach"),
    CREDIT("credit"),
    DRAIN("drain"),
    ACK("ack"),
    REJECT("reject"),
    RELEASE("release"),
    DETACH("detach"),
    TRANSACT("transact"),
    ENLIST("enlist"),
    TX("tx"),
    SUBSCRIPTION("subscription"),
    RESULT("result"),
    VALUE("value"),
    MESSAGE("message"),
    DETACHED("detached");

    private final String word;
    private final byte[] bytes;

    Verb(String word) {
        this.word = word;
        this.bytes = word.getBytes(StandardCharsets.US_ASCII);
    }

    public String word() {
        return word;
    }

    /** Whether only brokers send it. */
    public boolean isReply() {
        return compareTo(RESULT) >= 0;
    }

    public void write(ByteBuf out) {
        out.writeBytes(bytes);
    }

    /** Whether {@code source[from, to)} is exactly this word. */
    public boolean matches(byte[] source, int from, int to) {
        if (to - from != bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (source[from + i] != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
