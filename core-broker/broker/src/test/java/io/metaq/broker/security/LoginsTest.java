package io.metaq.broker.security;

import static io.metaq.broker.security.Logins.Verdict.RIGHT;
import static io.metaq.broker.security.Logins.Verdict.WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LoginsTest {
    @TempDir
    private Path dir;

    private UsersFile users;
    private Logins logins;

    @BeforeEach
    void withOneUser() throws IOException {
        users = new UsersFile(dir.resolve("users"), 1_000);
        users.put("anna", "geheim".toCharArray());
        logins = new Logins(users);
    }

    @AfterEach
    void close() {
        logins.close();
    }

    @Test
    void shouldTellRightFromWrong() {
        assertThat(logins.check("anna", "geheim")).succeedsWithin(patience()).isEqualTo(RIGHT);
        assertThat(logins.check("anna", "geheim")).succeedsWithin(patience()).isEqualTo(RIGHT);
        assertThat(logins.check("anna", "falsch")).succeedsWithin(patience()).isEqualTo(WRONG);
        assertThat(logins.check("anna", "")).succeedsWithin(patience()).isEqualTo(WRONG);
        assertThat(logins.check("berta", "geheim")).succeedsWithin(patience()).isEqualTo(WRONG);
        assertThat(logins.check("", "geheim")).succeedsWithin(patience()).isEqualTo(WRONG);
    }

    @Test
    void shouldKnowNobodyWithoutAFile() {
        try (Logins none = new Logins(new UsersFile(dir.resolve("nowhere")))) {
            assertThat(none.check("anna", "geheim"))
                    .succeedsWithin(Duration.ofSeconds(60))
                    .isEqualTo(WRONG);
        }
    }

    @Test
    void shouldFollowTheFile() throws IOException {
        assertThat(logins.check("anna", "geheim")).succeedsWithin(patience()).isEqualTo(RIGHT);

        users.put("anna", "neu".toCharArray());
        assertThat(logins.check("anna", "geheim")).succeedsWithin(patience()).isEqualTo(WRONG);
        assertThat(logins.check("anna", "neu")).succeedsWithin(patience()).isEqualTo(RIGHT);

        users.remove("anna");
        assertThat(logins.check("anna", "neu")).succeedsWithin(patience()).isEqualTo(WRONG);
    }

    @Test
    void shouldLetNobodyInByADamagedFile() throws IOException {
        assertThat(logins.check("anna", "geheim")).succeedsWithin(patience()).isEqualTo(RIGHT);

        Files.writeString(users.path(), "anna\n");

        assertThat(logins.check("anna", "geheim"))
                .succeedsWithin(Duration.ofSeconds(60))
                .isEqualTo(WRONG);
    }

    /** A thousand times the full work would take minutes. */
    @Test
    @Timeout(60)
    void shouldStretchOnceForAThousandConnections() throws IOException {
        users = new UsersFile(users.path());
        users.put("berta", "p".toCharArray());

        List<CompletableFuture<Logins.Verdict>> verdicts = IntStream.range(0, 1_000)
                .mapToObj(i -> logins.check("berta", "p"))
                .toList();

        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict.join()).isEqualTo(RIGHT));
    }

    private static Duration patience() {
        return Duration.ofSeconds(20);
    }
}
