package io.metaq.jms.broker;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the {@link LocalBroker} of the whole run; they keep out of each other's way by the names of their destinations. */
public final class BrokerExtension implements ParameterResolver {

    private record Running(LocalBroker broker) implements AutoCloseable {
        static Running start() {
            try {
                Path directory =
                        Files.createTempDirectory(Files.createDirectories(Path.of("target", "brokers")), "jms");
                return new Running(new LocalBroker(directory));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            broker.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LocalBroker.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(BrokerExtension.class))
                .getOrComputeIfAbsent(Running.class, type -> Running.start(), Running.class)
                .broker();
    }
}
