package io.metaq.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Strangers' bytes: whatever arrives, however it is cut, a decoder answers with values or one {@link ProtocolException}, and keeps
 * no memory. A failure names the seed; the same seed gives the same bytes.
 */
class DecoderFuzzTest {
    private static final int ROUNDS = 4_000;

    private static final String[] FRAMES = {
        "put test 0 5 0 907060870 1\r\nhello",
        "put test -1 15 1 TX:s:1 2\r\n\0\0\0\4attrpayload",
        "append t 0 1 25 7 producer=1 seq=2 durability=disk\r\n\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0hello",
        "get test g 0 0 1000 9 wait=10 min=1\r\n",
        "offset test g 0 30 15 time=5\r\n",
        "stats  -2147483645\r\n",
        "version 5 protocol=2 client=a%20b\r\n",
        "transaction XID:100:0a0b:0c0d:uq s1 BEGIN 10 uq 60\r\n",
        "sync test 0 5 0 123 907060870 30\r\nhello",
        "topic create t 1 partitions=4\r\n",
        "group commit g 1 topic=t partition=0 offset=5\r\n",
        "attach 1 queue:q 3 topic=q kind=queue selector=a%20>%203 nolocal=true origin=c\r\n",
        "ack 1 0:0-25,2:50-75 5 reply=no\r\n",
        "credit 1 10 1000\r\n",
        "reject 1 0:0-25 6 delay=0 dead=true\r\n",
        "detach 1 8 delivered=0:0-25\r\n",
        "transact 5 9 producer=-3 seq=0\r\nhello",
        "enlist XID:1:0a::uq 5 9 then=prepare timeout=30 begun=true producer=-3 seq=0\r\nhello",
        "login a 1 password=b\r\n",
        "result 200 3 5\r\n0.1",
        "message 1 0 25 1 1 5\r\nhello",
        "detached 1 3\r\nbye",
        "value 5 9\r\nhello",
        "quit\r\n"
    };

    private static ResourceLeakDetector.Level level;

    @BeforeAll
    static void watchEveryBuffer() {
        level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterAll
    static void watchAsBefore() {
        ResourceLeakDetector.setLevel(level);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 42, 20261130})
    void shouldSurviveWhateverClientsSend(long seed) {
        fuzz(seed, () -> new RequestDecoder(new Limits(256, 4096)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 42, 20261130})
    void shouldSurviveWhateverServersSend(long seed) {
        fuzz(seed, () -> new ResponseDecoder(new Limits(256, 4096)));
    }

    private static void fuzz(long seed, Supplier<FrameDecoder> decoders) {
        Random random = new Random(seed);
        CountingAllocator allocator = new CountingAllocator();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = random.nextInt(4) == 0 ? noise(random) : mutated(random);
            String what = "seed " + seed + " round " + round;
            try {
                play(decoders.get(), bytes, random, allocator);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(what + ": " + new String(bytes, StandardCharsets.ISO_8859_1), e);
            }
            assertThat(allocator.live()).as("buffers still held after %s", what).isZero();
        }
    }

    private static void play(FrameDecoder decoder, byte[] bytes, Random random, CountingAllocator allocator) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        channel.config().setAllocator(allocator);
        int refusals = 0;
        for (int at = 0; at < bytes.length; ) {
            int count = Math.min(bytes.length - at, 1 + random.nextInt(40));
            ByteBuf piece = allocator.buffer(count).writeBytes(bytes, at, count);
            at += count;
            try {
                channel.writeInbound(piece);
            } catch (ProtocolException e) {
                refusals++;
            }
        }
        assertThat(refusals).isLessThanOrEqualTo(1);
        for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
            if (next instanceof Request request) {
                request.release();
            } else {
                ((Response) next).release();
            }
        }
        channel.close();
        channel.finishAndReleaseAll();
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(400)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Some frames in a row with a few bytes changed, left out, doubled or put in. */
    private static byte[] mutated(Random random) {
        StringBuilder text = new StringBuilder();
        for (int frames = 1 + random.nextInt(4); frames > 0; frames--) {
            text.append(FRAMES[random.nextInt(FRAMES.length)]);
        }
        for (int changes = random.nextInt(4); changes > 0 && text.length() > 1; changes--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.insert(at, text.charAt(at));
                case 3 -> text.insert(at, " \r\n-=%:09".charAt(random.nextInt(9)));
                default -> text.setLength(at);
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Knows every buffer it gave out that is not back. */
    private static final class CountingAllocator extends AbstractByteBufAllocator {
        private final ByteBufAllocator real = new UnpooledByteBufAllocator(false);
        private final List<ByteBuf> given = new ArrayList<>();

        long live() {
            given.removeIf(buffer -> buffer.refCnt() == 0);
            return given.size();
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return remember(real.heapBuffer(initialCapacity, maxCapacity));
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return remember(real.heapBuffer(initialCapacity, maxCapacity));
        }

        private ByteBuf remember(ByteBuf buffer) {
            given.add(buffer);
            return buffer;
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }
}
