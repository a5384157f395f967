package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The first word of every frame. Only these exact lower-case words open one; anything else costs the connection. */
public enum Verb {
    PUT("put"),
    APPEND("append", "producer", "seq", "durability"),
    GET("get", "wait", "min"),
    OFFSET("offset", "time", "at"),
    STATS("stats"),
    VERSION("version", "protocol", "client"),
    QUIT("quit"),
    TRANSACTION("transaction", "number"),
    SYNC("sync"),
    TOPIC("topic"),
    GROUP("group"),
    LOGIN("login", "password"),
    CLIENT("client"),
    ATTACH("attach", "topic", "kind", "selector", "nolocal", "origin"),
    CREDIT("credit"),
    DRAIN("drain"),
    ACK("ack", "reply"),
    REJECT("reject", "delay", "dead"),
    RELEASE("release"),
    DETACH("detach", "delivered"),
    TRANSACT("transact", "producer", "seq"),
    ENLIST("enlist", "then", "timeout", "begun", "producer", "seq"),
    TX("tx"),
    SUBSCRIPTION("subscription"),
    RESULT("result"),
    VALUE("value"),
    MESSAGE("message"),
    DETACHED("detached");

    private final String word;
    private final byte[] bytes;
    private final List<String> options;

    Verb(String word, String... options) {
        this.word = word;
        this.options = List.of(options);
        this.bytes = word.getBytes(StandardCharsets.US_ASCII);
    }

    public String word() {
        return word;
    }

    /** The options behind its opaque; those of {@link AdminOperation}s are the operations'. */
    public List<String> options() {
        return options;
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
