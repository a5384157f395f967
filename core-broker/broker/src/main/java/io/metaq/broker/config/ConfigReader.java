package io.metaq.broker.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Turns a file into values, and collects every mistake on the way instead of stopping at the first. */
final class ConfigReader {
    private static final String TOPIC_PREFIX = "topic=";
    private static final Map<String, Setting<?>> SYSTEM = Settings.byName(Settings.system());
    private static final Map<String, Setting<?>> TOPIC = Settings.byName(Settings.topic());
    private static final Map<String, Setting<?>> ZOOKEEPER = Settings.byName(Settings.zookeeper());

    private final IniFile ini;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final Set<List<String>> seen = new HashSet<>();
    private SettingValues system = SettingValues.NONE;
    private SettingValues zookeeper = SettingValues.NONE;
    private final Map<String, SettingValues> topics = new LinkedHashMap<>();

    private ConfigReader(IniFile ini) {
        this.ini = ini;
    }

    static BrokerConfigBuilder read(Path file) throws IOException {
        return new ConfigReader(IniFile.read(file)).read();
    }

    private BrokerConfigBuilder read() {
        ini.sections().forEach(this::section);
        ini.entries().forEach(this::entry);
        if (!ini.sections().contains("zookeeper")) {
            zookeeper = zookeeper.with(Settings.ZK_ENABLE, false);
        }
        List<TopicSection> sections = topics.entrySet().stream()
                .map(topic -> new TopicSection(topic.getKey(), topic.getValue()))
                .toList();
        return new BrokerConfigBuilder(system, zookeeper, sections, ini.bytes(), problems);
    }

    private void section(String name) {
        if (name.equals("system") || name.equals("zookeeper")) {
            return;
        }
        if (!name.startsWith(TOPIC_PREFIX)) {
            problem(
                    true,
                    name,
                    "",
                    "unknown section" + NearestName.hint(name, List.of("system", "zookeeper", "topic=NAME")));
            return;
        }
        String topic = name.substring(TOPIC_PREFIX.length()).trim();
        if (topic.isEmpty() || topic.chars().anyMatch(c -> c <= ' ' || c == '/' || c == 0xFFFD)) {
            problem(true, name, "", "no topic can have this name; give one without spaces and slashes, in UTF-8");
            return;
        }
        topics.put(topic, SettingValues.NONE);
    }

    private void entry(IniFile.Entry entry) {
        String section = entry.section();
        if (!seen.add(List.of(section, entry.key()))) {
            problem(true, section, entry.key(), "is given twice; keep one of the lines");
        } else if (section.isEmpty()) {
            problem(true, "", entry.key(), "stands before the first section; put it below [system]");
        } else if (section.equals("system")) {
            system = value(entry, SYSTEM, LegacyKeys.SYSTEM, system);
        } else if (section.equals("zookeeper")) {
            zookeeper = value(entry, ZOOKEEPER, LegacyKeys.ZOOKEEPER, zookeeper);
        } else if (section.startsWith(TOPIC_PREFIX)) {
            topics.computeIfPresent(
                    section.substring(TOPIC_PREFIX.length()).trim(),
                    (topic, values) -> value(entry, TOPIC, LegacyKeys.TOPIC, values));
        }
    }

    private SettingValues value(
            IniFile.Entry entry, Map<String, Setting<?>> known, Map<String, String> legacy, SettingValues values) {
        Setting<?> setting = known.get(entry.key());
        if (setting == null) {
            unknown(entry, known, legacy);
            return values;
        }
        if (entry.value().isBlank() && setting.defaultValue().equals("")) {
            return values; // written down but left open, as with hostName=
        }
        try {
            if (entry.value().indexOf(0xFFFD) >= 0) {
                throw new IllegalArgumentException("is not written in UTF-8");
            }
            return values.withText(setting, entry.value());
        } catch (IllegalArgumentException e) {
            String value = entry.value().isBlank() ? "" : "'" + entry.value() + "' ";
            problem(true, entry.section(), entry.key(), value + e.getMessage() + "; give " + setting.expects());
            return values;
        }
    }

    private void unknown(IniFile.Entry entry, Map<String, Setting<?>> known, Map<String, String> legacy) {
        String reason = legacy.get(entry.key());
        if (reason == null && known == TOPIC && entry.key().startsWith(LegacyKeys.FILTER_PREFIX)) {
            reason = LegacyKeys.FILTER_REASON;
        }
        if (reason != null) {
            problem(false, entry.section(), entry.key(), "has no effect: " + reason);
            return;
        }
        if (SYSTEM.containsKey(entry.key()) || ZOOKEEPER.containsKey(entry.key())) {
            String home = SYSTEM.containsKey(entry.key()) ? "[system]" : "[zookeeper]";
            problem(true, entry.section(), entry.key(), "stands in the wrong section; put it below " + home);
            return;
        }
        if (TOPIC.containsKey(entry.key())) {
            problem(true, entry.section(), entry.key(), "stands in the wrong section; put it below [topic=NAME]");
            return;
        }
        List<String> names = Stream.concat(known.keySet().stream(), legacy.keySet().stream())
                .sorted()
                .toList();
        problem(true, entry.section(), entry.key(), "unknown key" + NearestName.hint(entry.key(), names));
    }

    private void problem(boolean fatal, String section, String key, String text) {
        problems.add(new ConfigProblem(fatal, ini.where(section, key), section, key, text));
    }
}
