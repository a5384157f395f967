package io.metaq.tck.closing;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.concurrent.CountDownLatch;

/** Exits when the send is done and a line comes. */
record ExitingCallback(CountDownLatch there) implements CompletionListener {
    @Override
    public void onCompletion(Message message) {
        ExitingClient.exitWhenTold(there);
    }

    @Override
    public void onException(Message message, Exception exception) {
        throw new IllegalStateException(exception);
    }
}
