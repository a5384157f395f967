package io.metaq.jms.transport;

import io.metaq.jms.failure.Deadline;
import io.metaq.jms.message.LargeBodies;
import io.metaq.jms.message.MessageDecoder;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.thread.Callbacks;
import io.metaq.jms.thread.ConnectionTimer;
import io.metaq.jms.thread.ExceptionReports;

/** What a connection lends to its sessions. */
public record ConnectionScope(
        ConnectionOptions options,
        ConnectionIdentity identity,
        Transport transport,
        Destinations destinations,
        MessageDecoder decoder,
        LargeBodies largeBodies,
        ConnectionTimer timer,
        Callbacks callbacks,
        ExceptionReports reports) {

    /** How long a close waits from now. */
    public Deadline closing() {
        return Deadline.in(options.number(ConnectionOption.CLOSE_TIMEOUT));
    }
}
