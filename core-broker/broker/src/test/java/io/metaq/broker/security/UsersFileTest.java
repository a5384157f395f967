package io.metaq.broker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersFileTest {
    private static final int QUICK = 1_000;

    @TempDir
    private Path dir;

    private UsersFile users;

    @BeforeEach
    void inAFolderThatIsNotThereYet() {
        users = new UsersFile(dir.resolve("data").resolve("users"), QUICK);
    }

    @Test
    void shouldKeepUsersAndNotTheirPasswords() throws IOException {
        assertThat(users.put("anna", "geheim".toCharArray())).isTrue();
        assertThat(users.put("j\u00f6rg: #1 50%", "pass w\u00f6rd".toCharArray()))
                .isTrue();

        assertThat(users.names()).containsExactly("anna", "j\u00f6rg: #1 50%");
        assertThat(users.read().get("anna").fits("geheim".toCharArray())).isTrue();
        assertThat(users.read().get("anna").fits("Geheim".toCharArray())).isFalse();
        assertThat(users.read().get("j\u00f6rg: #1 50%").fits("pass w\u00f6rd".toCharArray()))
                .isTrue();
        assertThat(Files.readString(users.path())).doesNotContain("geheim", "w\u00f6rd");
    }

    @Test
    void shouldSaltEachPasswordAnew() throws IOException {
        users.put("a", "same".toCharArray());
        users.put("b", "same".toCharArray());

        assertThat(users.read().get("a").text())
                .isNotEqualTo(users.read().get("b").text());
    }

    @Test
    void shouldStretchAsLongAsIsAdvised() throws IOException {
        UsersFile usual = new UsersFile(dir.resolve("users"));

        usual.put("a", "p".toCharArray());

        assertThat(Files.readString(usual.path())).contains("a:pbkdf2-sha256:210000:");
    }

    @Test
    void shouldReplaceAPasswordAndRemoveAUser() throws IOException {
        users.put("a", "old".toCharArray());

        assertThat(users.put("a", "new".toCharArray())).isFalse();
        assertThat(users.read().get("a").fits("old".toCharArray())).isFalse();
        assertThat(users.remove("a")).isTrue();
        assertThat(users.remove("a")).isFalse();
        assertThat(users.names()).isEmpty();
    }

    @Test
    void shouldBeReadableByItsOwnerOnlyAndLeaveNoDrafts() throws IOException {
        users.put("a", "p".toCharArray());
        users.put("b", "p".toCharArray());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(users.path())))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(users.path().getParent())) {
            assertThat(files).extracting(file -> file.getFileName().toString()).containsOnly("users", "users.lock");
        }
    }

    @Test
    void shouldRefuseWhatCannotBeANameOrAPassword() {
        assertThatThrownBy(() -> users.put(" ", "p".toCharArray())).hasMessageContaining("cannot name a user");
        assertThatThrownBy(() -> users.put("a\nb", "p".toCharArray())).hasMessageContaining("cannot name a user");
        assertThatThrownBy(() -> users.put("a", new char[0])).hasMessageContaining("a password has from 1 to");
        assertThat(users.path()).doesNotExist();
    }

    @Test
    void shouldNameADamagedLineWithoutRepeatingIt() throws IOException {
        users.put("a", "p".toCharArray());
        Files.writeString(users.path(), "# comment\n\nb:pbkdf2-sha256:5:secretsalt:secrethash\n");

        assertThatThrownBy(users::names)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(users.path() + ":3: the number of iterations is not from 1000 to")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> users.put("c", "p".toCharArray())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldHaveNobodyWithoutAFile() throws IOException {
        assertThat(users.names()).isEmpty();
        assertThat(users.remove("a")).isFalse();
    }

    @Test
    void shouldKeepWhatAnotherWrote() throws IOException {
        users.put("a", "p".toCharArray());
        new UsersFile(users.path(), QUICK).put("b", "p".toCharArray());
        users.put("c", "p".toCharArray());

        assertThat(users.names()).containsExactly("a", "b", "c");
    }
}
