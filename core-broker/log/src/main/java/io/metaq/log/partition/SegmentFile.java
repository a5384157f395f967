package io.metaq.log.partition;

import io.metaq.log.file.StorageFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One segment's file as {@link OpenFiles} sees it; all fields but the path are guarded by that. */
final class SegmentFile {

    final Path path;

    @Nullable
    StorageFile open;

    /** How many use the open file now. */
    int users;

    /** Set when the segment was taken out: what to do once nobody uses it. */
    @Nullable
    Runnable whenUnused;

    SegmentFile(Path path) {
        this.path = path;
    }
}
