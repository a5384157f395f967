package io.metaq.client;

import java.util.regex.Pattern;

/** The little that a client reads of a 1.4 broker's {@code server.ini}. */
final class ServerIni {

    private static final Pattern PARTITIONS = Pattern.compile("numPartitions\\s*[=:]\\s*(\\d+)");

    private ServerIni() {}

    /** The partitions that a topic is to have: its section's number, else that of [system]; 0 when neither is a plain number. */
    static int partitions(String ini, String topic) {
        int ofSystem = 0;
        int ofTopic = 0;
        String section = "";
        for (String line : ini.split("\r?\n")) {
            String text = line.strip();
            var setting = PARTITIONS.matcher(text);
            if (text.startsWith("[")) {
                section = text;
            } else if (setting.matches() && section.equals("[system]")) {
                ofSystem = Integer.parseInt(setting.group(1));
            } else if (setting.matches() && section.equals("[topic=" + topic + "]")) {
                ofTopic = Integer.parseInt(setting.group(1));
            }
        }
        return ofTopic > 0 ? ofTopic : ofSystem;
    }
}
