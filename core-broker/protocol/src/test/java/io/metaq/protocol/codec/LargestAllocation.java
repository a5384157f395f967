package io.metaq.protocol.codec;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicInteger;

/** Notes how large the largest buffer was, and which one came last. */
final class LargestAllocation extends AbstractByteBufAllocator {
    private final AtomicInteger largest;
    private ByteBuf last;

    LargestAllocation(AtomicInteger largest) {
        this.largest = largest;
    }

    ByteBuf last() {
        return last;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return note(UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity), initialCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return note(UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity), initialCapacity);
    }

    private ByteBuf note(ByteBuf buffer, int capacity) {
        largest.accumulateAndGet(capacity, Math::max);
        last = buffer;
        return buffer;
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
