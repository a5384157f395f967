package io.metaq.broker.http;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.state.BrokerState;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * What the HTTP interface knows of its broker beyond the handlers of the protocol.
 *
 * @param state to look up what topics and partitions there are
 * @param health how the broker is
 */
public record HttpParts(BrokerConfig config, BrokerState state, Supplier<Health> health, Clock clock) {
    /**
     * How a broker is.
     *
     * @param serving whether it takes requests
     * @param takesMessages whether there is room for messages
     */
    public record Health(boolean serving, boolean takesMessages) {}
}
