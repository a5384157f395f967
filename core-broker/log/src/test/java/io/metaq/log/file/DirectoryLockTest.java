package io.metaq.log.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {

    @TempDir
    Path root;

    @Test
    void shouldKeepOthersOutUntilItIsClosed() throws Exception {
        Path data = root.resolve("data");
        DirectoryLock first = DirectoryLock.acquire(data);
        assertThatThrownBy(() -> DirectoryLock.acquire(data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use")
                .hasMessageContaining(data.toString());
        first.close();
        DirectoryLock.acquire(data).close();
    }

    @Test
    void shouldTellAFullDiskFromABrokenOne() {
        Path path = Path.of("f");
        assertThat(DiskErrors.classify(new IOException("No space left on device"), path))
                .isInstanceOf(StorageFullException.class)
                .hasMessageContaining("f: No space left");
        assertThat(DiskErrors.classify(new IOException("Disk quota exceeded"), path))
                .isInstanceOf(StorageFullException.class);
        assertThat(DiskErrors.classify(new IOException("Input/output error"), path))
                .isNotInstanceOf(StorageFullException.class);
    }
}
