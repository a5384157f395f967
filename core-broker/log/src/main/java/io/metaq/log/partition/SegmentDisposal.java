package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Deletes or archives the files of a segment that nobody uses any more. When that fails the files stay, with a warning;
 * the next start finds them and retention takes them out again.
 */
final class SegmentDisposal {

    private static final Logger LOG = System.getLogger(SegmentDisposal.class.getName());

    private final Storage storage;

    SegmentDisposal(Storage storage) {
        this.storage = storage;
    }

    void dispose(PartitionSegment segment, Disposal disposal) {
        if (disposal == Disposal.ARCHIVE_COMPRESSED) {
            // takes seconds for a large segment: neither the writer nor a network thread may be held up
            Thread archiver = new Thread(() -> disposeNow(segment, disposal), "partition-archiver");
            archiver.setDaemon(true);
            archiver.start();
        } else {
            disposeNow(segment, disposal);
        }
    }

    void disposeNow(PartitionSegment segment, Disposal disposal) {
        Path log = segment.file().path;
        try {
            if (storage.exists(log)) {
                switch (disposal) {
                    case DELETE -> storage.delete(log);
                    case ARCHIVE -> storage.rename(log, withSuffix(log, ".arc"));
                    case ARCHIVE_COMPRESSED -> compress(log);
                }
            }
            storage.delete(segment.index().path());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot take out " + log + " (" + disposal + "), it stays where it is", e);
        }
    }

    private void compress(Path log) throws IOException {
        Path archive = withSuffix(log, ".zip");
        Path temporary = withSuffix(log, ".zip.new");
        try (StorageFile in = storage.open(log, StandardOpenOption.READ);
                StorageFile out = storage.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ZipOutputStream zip = new ZipOutputStream(new FileOutput(out));
            zip.putNextEntry(new ZipEntry(String.valueOf(log.getFileName())));
            byte[] chunk = new byte[1 << 16];
            int read;
            for (long at = 0; (read = in.read(ByteBuffer.wrap(chunk), at)) > 0; at += read) {
                zip.write(chunk, 0, read);
            }
            zip.closeEntry();
            zip.finish();
            out.sync();
        } catch (StorageFullException e) {
            storage.delete(temporary);
            throw e;
        }
        storage.rename(temporary, archive);
        Path directory = log.getParent();
        if (directory != null) {
            storage.syncDirectory(directory);
        }
        storage.delete(log);
    }

    private static Path withSuffix(Path log, String suffix) {
        String name = String.valueOf(log.getFileName());
        return log.resolveSibling(name.substring(0, name.length() - PartitionSegment.LOG_SUFFIX.length()) + suffix);
    }

    /** Writes to a file from its start on. */
    private static final class FileOutput extends OutputStream {

        private final StorageFile file;
        private long at;

        FileOutput(StorageFile file) {
            this.file = file;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            at += file.write(ByteBuffer.wrap(bytes, from, length), at);
        }
    }
}
