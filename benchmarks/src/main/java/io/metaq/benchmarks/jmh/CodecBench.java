package io.metaq.benchmarks.jmh;

import io.metaq.protocol.Limits;
import io.metaq.protocol.MessageCursor;
import io.metaq.protocol.Request;
import io.metaq.protocol.StoredMessage;
import io.metaq.protocol.codec.RequestDecoder;
import io.metaq.protocol.codec.ResponseEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Requests from bytes, answers to bytes, and the walk over the messages of a batch. Times are per frame. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBench {

    private static final int BODY_BYTES = 1024;

    /** Messages in one append. */
    @Param({"1", "100"})
    public int messages;

    private final EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(Limits.DEFAULT));
    private final ByteBuf put = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final ByteBuf append = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final ByteBuf batch = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final ByteBuf answer = PooledByteBufAllocator.DEFAULT.directBuffer();

    @Setup
    public void fill() {
        byte[] body = new byte[BODY_BYTES];
        new SplittableRandom(1).nextBytes(body);
        for (int i = 0; i < messages; i++) {
            int at = batch.writerIndex();
            batch.writeInt(BODY_BYTES).writeInt(0).writeLong(i).writeInt(0).writeBytes(body);
            int checksum = StoredMessage.checksum(batch, at + StoredMessage.HEADER_LENGTH, BODY_BYTES);
            batch.setInt(at + StoredMessage.CHECKSUM_OFFSET, checksum);
        }
        line(put, "put topic 0 " + BODY_BYTES + " 0 -1 7").writeBytes(body);
        line(append, "append topic 0 " + messages + " " + batch.readableBytes() + " 7 producer=9 seq=100")
                .writeBytes(batch, batch.readerIndex(), batch.readableBytes());
    }

    private static ByteBuf line(ByteBuf into, String text) {
        into.writeCharSequence(text + "\r\n", StandardCharsets.US_ASCII);
        return into;
    }

    @TearDown
    public void release() {
        channel.finishAndReleaseAll();
        put.release();
        append.release();
        batch.release();
        answer.release();
    }

    @Benchmark
    public Object decodePut() {
        return decode(put);
    }

    @Benchmark
    public Object decodeAppend() {
        return decode(append);
    }

    private Object decode(ByteBuf frame) {
        channel.writeInbound(frame.retainedDuplicate());
        Request request = channel.readInbound();
        request.release();
        return request;
    }

    /** What the broker does with a batch: find its messages, check their checksums, number them. */
    @Benchmark
    public int checkAndNumberBatch() {
        MessageCursor cursor = new MessageCursor(batch);
        long id = 0;
        while (cursor.next()) {
            if (!cursor.intact()) {
                throw new IllegalStateException("damaged");
            }
            cursor.setId(id++);
        }
        return cursor.consumed();
    }

    @Benchmark
    public Object encodeStored() {
        answer.clear();
        ResponseEncoder.writeStored(answer, 123_456_789_012L, 0, 987_654_321L, 7);
        return answer;
    }
}
