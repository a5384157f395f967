package io.metaq.broker.subscription;

import io.metaq.protocol.Status;

/** Why something asked for is not done: the answer to give. Costs no stack trace. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;

    public Refused(Status status, String text) {
        super(text, null, false, false);
        this.status = status;
    }

    public Status status() {
        return status;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
