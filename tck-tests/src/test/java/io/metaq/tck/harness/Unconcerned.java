package io.metaq.tck.harness;

import io.metaq.client.subscription.SubscriberListener;

/** For a link whose calls tell what is to be known: one that is lost fails them. */
public final class Unconcerned implements SubscriberListener {
    @Override
    public void interrupted(RuntimeException cause) {}

    @Override
    public void resumed() {}

    @Override
    public void failed(RuntimeException cause) {}
}
