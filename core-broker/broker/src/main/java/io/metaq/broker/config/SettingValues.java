package io.metaq.broker.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that were given for some settings; immutable. A setting not given has the value of the parent, or its default. */
final class SettingValues {
    static final SettingValues NONE = new SettingValues(Map.of(), null);

    private final Map<Setting<?>, Object> given;
    private final @Nullable SettingValues parent;

    private SettingValues(Map<Setting<?>, Object> given, @Nullable SettingValues parent) {
        this.given = given;
        this.parent = parent;
    }

    /** The same settings on top of others: what is not given here is taken from there. */
    SettingValues over(SettingValues parent) {
        return new SettingValues(given, parent);
    }

    <T> SettingValues with(Setting<T> setting, T value) {
        Map<Setting<?>, Object> more = new LinkedHashMap<>(given);
        more.put(setting, value);
        return new SettingValues(more, parent);
    }

    /** @throws IllegalArgumentException if the text is no value of the setting */
    <T> SettingValues withText(Setting<T> setting, String text) {
        return with(setting, setting.parse(text));
    }

    @SuppressWarnings("unchecked") // with() pairs a Setting<T> with a T only
    <T> T get(Setting<T> setting) {
        Object value = given.get(setting);
        if (value != null) {
            return (T) value;
        }
        return parent == null ? setting.defaultValue() : parent.get(setting);
    }

    /** What was given here, parents left out, in the form of the file. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        given.forEach((setting, value) -> texts.put(setting.name(), setting.format(value)));
        return texts;
    }
}
