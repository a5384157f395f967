package io.metaq.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts outcomes. */
final class CountingListener implements CompletionListener {

    final AtomicInteger completed = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();

    @Override
    public void onCompletion(Message message) {
        completed.incrementAndGet();
    }

    @Override
    public void onException(Message message, Exception exception) {
        failed.incrementAndGet();
    }
}
