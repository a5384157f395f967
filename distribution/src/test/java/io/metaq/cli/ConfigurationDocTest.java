package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.Setting;
import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfigurationDocTest {
    /** The document and the declarations of the keys say the same. */
    @Test
    void shouldHaveARowForEveryKeyWithItsDefaultAndMeaning() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "configuration.md"));
        List<String> rows = Stream.of(Settings.system(), Settings.topic(), Settings.zookeeper())
                .flatMap(List::stream)
                .map(ConfigurationDocTest::row)
                .toList();

        assertThat(lines).containsAll(rows);
    }

    private static String row(Setting<?> setting) {
        String value = setting.expects().replace(" (arithmetic such as 64*1024 is allowed)", "");
        return "| `" + setting.name() + "` | `" + defaultOf(setting) + "` | " + setting.description() + " | " + value
                + " |";
    }

    private static String defaultOf(Setting<?> setting) {
        if (setting == Settings.DATA_PATH) {
            return "~/metaq"; // not the home of whoever runs the test
        }
        String text = setting.defaultValue().toString();
        return text.isEmpty() ? "unset" : text;
    }
}
