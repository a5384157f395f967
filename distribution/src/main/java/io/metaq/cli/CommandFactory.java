package io.metaq.cli;

import java.lang.reflect.Constructor;
import picocli.CommandLine;

/** Makes commands, and gives the terminal to those that have a constructor for it. */
final class CommandFactory implements CommandLine.IFactory {
    private final Terminal terminal;

    CommandFactory(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        try {
            Constructor<K> constructor = type.getDeclaredConstructor(Terminal.class);
            return constructor.newInstance(terminal);
        } catch (NoSuchMethodException e) {
            return CommandLine.defaultFactory().create(type); // a mixin, a converter, or picocli's own
        }
    }
}
