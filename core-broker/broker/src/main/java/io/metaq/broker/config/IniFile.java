package io.metaq.broker.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.configuration2.INIConfiguration;
import org.apache.commons.configuration2.ex.ConfigurationException;
import org.apache.commons.configuration2.tree.ImmutableNode;

/**
 * An INI file as a list of entries, with nothing merged: a key given twice is there twice.
 *
 * @param bytes the file as it is on disk
 */
record IniFile(Path file, byte[] bytes, List<Entry> entries, List<String> sections) {

    /**
     * One {@code key=value}.
     *
     * @param section empty for entries before the first section
     */
    record Entry(String section, String key, String value) {}

    static IniFile read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        INIConfiguration ini = new INIConfiguration();
        // a file of 1.4 may hold comments in GBK: bytes that are not UTF-8 become U+FFFD and matter only in values
        try (StringReader text = new StringReader(withoutMark(new String(bytes, StandardCharsets.UTF_8)))) {
            ini.read(text);
        } catch (ConfigurationException e) {
            throw new IOException(file + " is not an INI file: " + e.getMessage(), e);
        }
        List<Entry> entries = new ArrayList<>();
        List<String> sections = new ArrayList<>();
        for (ImmutableNode node :
                ini.getNodeModel().getNodeHandler().getRootNode().getChildren()) {
            if (node.getValue() != null) {
                entries.add(entry("", node));
                continue;
            }
            sections.add(node.getNodeName());
            node.getChildren().forEach(child -> entries.add(entry(node.getNodeName(), child)));
        }
        return new IniFile(file, bytes, entries, sections);
    }

    private static Entry entry(String section, ImmutableNode node) {
        return new Entry(section, node.getNodeName(), String.valueOf(node.getValue()));
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** File name and line of the last place that has the key, as {@code server.ini:12}; the file alone if not found. */
    String where(String section, String key) {
        String current = "";
        int found = 0;
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].trim();
            if (line.startsWith("[") && line.endsWith("]")) {
                current = line.substring(1, line.length() - 1).trim();
                found = key.isEmpty() && current.equals(section) ? i + 1 : found;
            } else if (current.equals(section) && !key.isEmpty() && startsWithKey(line, key)) {
                found = i + 1;
            }
        }
        return file + (found == 0 ? "" : ":" + found);
    }

    private static boolean startsWithKey(String line, String key) {
        String rest = line.startsWith(key) ? line.substring(key.length()).trim() : "-";
        return rest.isEmpty() || rest.startsWith("=") || rest.startsWith(":");
    }
}
