package io.metaq.log.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointStoreTest {

    @TempDir
    Path root;

    private Path directory;
    private CheckpointStore store;

    @BeforeEach
    void create() {
        directory = root.resolve("checkpoint");
        store = new CheckpointStore(directory, Storage.disk());
    }

    private long write(long position, String state) throws IOException {
        return store.write(
                position,
                ByteBuffer.wrap(state.getBytes(StandardCharsets.UTF_8)),
                ByteBuffer.wrap("!".getBytes(StandardCharsets.UTF_8)));
    }

    private String newest() throws IOException {
        return store.readNewest()
                .map(c -> c.position() + " " + StandardCharsets.UTF_8.decode(c.payload()))
                .orElse("none");
    }

    @Test
    void shouldReadBackTheNewest() throws Exception {
        assertThat(newest()).isEqualTo("none");
        assertThat(store.exists()).isFalse();
        assertThat(write(10, "ten")).isEqualTo(10);
        assertThat(write(200, "two hundred")).isEqualTo(10);
        assertThat(write(3000, "three thousand")).isEqualTo(200);
        assertThat(newest()).isEqualTo("3000 three thousand!");
        assertThat(Storage.disk().list(directory)).hasSize(2);
    }

    @Test
    void shouldGoBackToTheOneBeforeWhicheverByteIsDamaged() throws Exception {
        write(10, "ten");
        write(200, "two hundred");
        Path file = directory.resolve(String.format("%020d.checkpoint", 200));
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] ^= 0x10;
            Files.write(file, bytes);
            assertThat(newest()).as("byte %s", i).isEqualTo("10 ten!");
            bytes[i] ^= 0x10;
        }
        Files.write(file, bytes);
        assertThat(newest()).isEqualTo("200 two hundred!");
    }

    @Test
    void shouldIgnoreAnUnfinishedOne() throws Exception {
        write(10, "ten");
        Files.write(directory.resolve(String.format("%020d.checkpoint.new", 200)), new byte[50]);
        assertThat(newest()).isEqualTo("10 ten!");
        write(200, "again");
        assertThat(newest()).isEqualTo("200 again!");
    }
}
