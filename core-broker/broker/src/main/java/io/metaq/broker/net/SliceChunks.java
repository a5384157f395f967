package io.metaq.broker.net;

import io.metaq.log.partition.LogSlice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.stream.ChunkedInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A slice of a partition log in pieces, for a connection whose bytes are encrypted: only as much is in memory as is on its way. */
final class SliceChunks implements ChunkedInput<ByteBuf> {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final LogSlice slice;
    private int read;

    SliceChunks(LogSlice slice) {
        this.slice = slice;
    }

    @Override
    public boolean isEndOfInput() {
        return read >= slice.length();
    }

    @Deprecated
    @Override
    public @Nullable ByteBuf readChunk(ChannelHandlerContext context) throws IOException {
        return readChunk(context.alloc());
    }

    @Override
    public @Nullable ByteBuf readChunk(ByteBufAllocator allocator) throws IOException {
        if (isEndOfInput()) {
            return null;
        }
        int length = Math.min(CHUNK_BYTES, slice.length() - read);
        ByteBuf chunk = allocator.buffer(length);
        try {
            fill(chunk.nioBuffer(0, length));
            chunk.writerIndex(length);
            return chunk;
        } catch (IOException | RuntimeException e) {
            chunk.release();
            throw e;
        }
    }

    private void fill(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            int more = slice.read(into, read);
            if (more < 0) {
                throw new EOFException("partition log ends before its readable end");
            }
            read += more;
        }
    }

    @Override
    public long length() {
        return slice.length();
    }

    @Override
    public long progress() {
        return read;
    }

    @Override
    public void close() {
        slice.release();
    }
}
