package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A proposal that is waited for through a future. */
final class TestProposal extends Proposal {

    final CompletableFuture<Long> done = new CompletableFuture<>();
    private final byte type;
    private final Durability durability;
    private final byte[][] parts;
    boolean essential;

    TestProposal(int type, Durability durability, byte[]... parts) {
        this.type = (byte) type;
        this.durability = durability;
        this.parts = parts;
    }

    @Override
    public byte type() {
        return type;
    }

    @Override
    public Durability durability() {
        return durability;
    }

    @Override
    public int bodyLength() {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        return length;
    }

    @Override
    public int body(ByteBuffer[] into, int at) {
        for (int i = 0; i < parts.length; i++) {
            into[at + i] = ByteBuffer.wrap(parts[i]);
        }
        return parts.length;
    }

    @Override
    public boolean essential() {
        return essential;
    }

    @Override
    public void committed() {
        done.complete(position());
    }

    @Override
    public void failed(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
