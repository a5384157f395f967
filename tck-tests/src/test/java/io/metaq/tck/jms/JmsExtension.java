package io.metaq.tck.jms;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.tck.harness.BrokerFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test its {@link Jms}, closed when the test ends. All tests of a run share one broker in their own process. */
final class JmsExtension implements ParameterResolver {
    private static final Namespace NAMES = Namespace.create(JmsExtension.class);

    /** The broker, as the store of the whole run keeps it. */
    private record Running(Broker broker) implements AutoCloseable {
        static Running start() {
            try {
                Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target", "tck")), "jms");
                return new Running(
                        Broker.start(BrokerConfig.load(BrokerFiles.in(directory).write())));
            } catch (Exception e) {
                throw new IllegalStateException("the broker does not start", e);
            }
        }

        @Override
        public void close() {
            broker.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Jms.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Running running = context.getRoot()
                .getStore(NAMES)
                .getOrComputeIfAbsent(Running.class, type -> Running.start(), Running.class);
        return context.getStore(NAMES)
                .getOrComputeIfAbsent(
                        Jms.class,
                        type -> new Jms("metaq://127.0.0.1:" + running.broker().port()),
                        Jms.class);
    }
}
