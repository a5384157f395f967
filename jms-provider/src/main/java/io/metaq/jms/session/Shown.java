package io.metaq.jms.session;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.consumer.Intake;

/** A delivery that the application was given and that is not settled. Each is itself only. */
final class Shown {

    final Intake intake;
    final int partition;
    final long offset;
    final long endOffset;

    /** Whether a branch has it: then nobody else settles it. */
    volatile boolean claimed;

    Shown(Intake intake, Delivery delivery) {
        this.intake = intake;
        this.partition = delivery.partition();
        this.offset = delivery.offset();
        this.endOffset = delivery.endOffset();
    }
}
