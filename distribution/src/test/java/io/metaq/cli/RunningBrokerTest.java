package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningBrokerTest {
    @TempDir
    private Path dir;

    @Test
    void shouldFindABrokerByWhatItAnnounced() throws IOException {
        RunningBroker self = RunningBroker.self("127.0.0.1:1234", "http://127.0.0.1:80");

        self.announce(dir);

        assertThat(RunningBroker.find(dir)).contains(self);
        assertThat(dir).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void shouldNotTakeAnotherProcessWithTheSameNumberForTheBroker() throws IOException {
        RunningBroker self = RunningBroker.self("127.0.0.1:1234", "http://127.0.0.1:80");

        new RunningBroker(self.pid(), self.startedMs() - 3_600_000, self.address(), "").announce(dir);

        assertThat(RunningBroker.find(dir)).isEmpty();
    }

    @Test
    void shouldFindNoneWithoutAFile() throws IOException {
        assertThat(RunningBroker.find(dir)).isEmpty();
    }

    @Test
    void shouldSayWhichFileIsDamaged() throws IOException {
        Files.writeString(RunningBroker.fileIn(dir), "a\nb\nc\n");

        assertThatThrownBy(() -> RunningBroker.find(dir))
                .hasMessageContaining("broker.pid is damaged; if no broker is running, remove it");
    }
}
