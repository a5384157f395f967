package io.metaq.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a connection read the rest of a large body straight into the buffer that collects it: no copy, and few system calls. What is
 * read otherwise, header lines and small frames, comes in pieces that adapt to the traffic but stay small, since the beginning of a
 * large body among it has to be copied.
 */
final class BodyReads implements RecvByteBufAllocator {
    private static final int SMALLEST_PIECE = 2 * 1024;
    private static final int FIRST_PIECE = 8 * 1024;
    private static final int LARGEST_PIECE = 32 * 1024;

    private final FrameDecoder decoder;
    private final RecvByteBufAllocator pieces =
            new AdaptiveRecvByteBufAllocator(SMALLEST_PIECE, FIRST_PIECE, LARGEST_PIECE);

    BodyReads(FrameDecoder decoder) {
        this.decoder = decoder;
    }

    @Override
    @SuppressWarnings("deprecation") // still what the interface declares
    public Handle newHandle() {
        return new BodyHandle((ExtendedHandle) pieces.newHandle());
    }

    private final class BodyHandle extends DelegatingHandle implements ExtendedHandle {
        private final ExtendedHandle piecewise;

        BodyHandle(ExtendedHandle piecewise) {
            super(piecewise);
            this.piecewise = piecewise;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            @Nullable ByteBuf body = decoder.roomForBody();
            return body != null ? body : piecewise.allocate(allocator);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return piecewise.continueReading(maybeMoreData);
        }
    }
}
