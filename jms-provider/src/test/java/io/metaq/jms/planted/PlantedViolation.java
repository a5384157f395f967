package io.metaq.jms.planted;

import io.metaq.broker.Broker;

/** A class of the provider that knows the broker. */
public final class PlantedViolation {

    private final Broker broker;

    PlantedViolation(Broker broker) {
        this.broker = broker;
    }

    int port() {
        return broker.port();
    }
}
