package io.metaq.testkit.storage;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Journal;
import io.metaq.log.journal.JournalConfig;
import io.metaq.log.journal.Proposal;
import io.metaq.log.journal.StateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A journal of texts on some storage, and what was applied from it. */
final class JournalRun implements AutoCloseable {

    static final Path DIRECTORY = Path.of("/data/journal");
    static final JournalConfig CONFIG = JournalConfig.of(DIRECTORY)
            .withSegmentBytes(16 << 10)
            .withMaxBatchBytes(4 << 10)
            .withMaxFreeSegments(2);

    final Journal journal;
    final Applied applied = new Applied();
    final CompletableFuture<Throwable> fatal = new CompletableFuture<>();

    private JournalRun(JournalConfig config, Storage storage) throws IOException {
        journal = Journal.open(config, storage);
    }

    /** Recovers and starts. */
    static JournalRun start(Storage storage) throws IOException {
        return start(CONFIG, storage);
    }

    static JournalRun start(JournalConfig config, Storage storage) throws IOException {
        JournalRun run = new JournalRun(config, storage);
        run.journal.replay(0, run.applied);
        run.journal.start(run.applied, run.fatal::complete);
        return run;
    }

    /** What recovery finds. */
    static List<String> recover(Storage storage) throws IOException {
        return recover(storage, 0);
    }

    static List<String> recover(Storage storage, long from) throws IOException {
        try (JournalRun run = new JournalRun(CONFIG, storage)) {
            run.journal.replay(from, run.applied);
            return run.applied.texts();
        }
    }

    Text offer(String text, Durability durability) {
        return offer(new Text(text, durability, false));
    }

    Text offer(Text text) {
        if (!journal.offer(text)) {
            throw new IllegalStateException("queue full");
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }

    static final class Applied implements StateMachine {

        private final List<String> texts = new ArrayList<>();
        private final List<Long> ends = new ArrayList<>();

        @Override
        public synchronized void apply(
                long position, int epoch, byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal) {
            ends.add(position + 32 + body.remaining());
            texts.add(StandardCharsets.ISO_8859_1.decode(body).toString());
        }

        @Override
        public void endOfBatch(long position) {}

        synchronized List<String> texts() {
            return List.copyOf(texts);
        }

        /** Journal position behind each record. */
        synchronized List<Long> ends() {
            return List.copyOf(ends);
        }
    }

    static final class Text extends Proposal {

        private final byte[] bytes;
        private final Durability durability;
        private final boolean essential;
        private final CompletableFuture<Long> done = new CompletableFuture<>();

        Text(String text, Durability durability, boolean essential) {
            this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            this.durability = durability;
            this.essential = essential;
        }

        long await() throws Exception {
            return done.get(20, TimeUnit.SECONDS);
        }

        boolean acknowledged() {
            return done.isDone() && !done.isCompletedExceptionally();
        }

        @Override
        public byte type() {
            return 1;
        }

        @Override
        public Durability durability() {
            return durability;
        }

        @Override
        public int bodyLength() {
            return bytes.length;
        }

        @Override
        public int body(ByteBuffer[] into, int at) {
            into[at] = ByteBuffer.wrap(bytes);
            return 1;
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
}
