package io.metaq.jms.context;

import static io.metaq.jms.failure.RuntimeFailures.callNullable;
import static io.metaq.jms.failure.RuntimeFailures.run;

import io.metaq.jms.consumer.JmsConsumer;
import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A consumer of the simplified API. */
final class ContextConsumer implements JMSConsumer {

    private static final long FOREVER = -1;

    private final JmsConsumer consumer;

    ContextConsumer(JmsConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public @Nullable String getMessageSelector() {
        return callNullable(consumer::getMessageSelector);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return callNullable(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        run(() -> consumer.setMessageListener(listener));
    }

    @Override
    public @Nullable Message receive() {
        return callNullable(consumer::receive);
    }

    @Override
    public @Nullable Message receive(long timeout) {
        return callNullable(() -> consumer.receive(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return callNullable(consumer::receiveNoWait);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return callNullable(() -> consumer.receiveBody(type, FOREVER));
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        return callNullable(
                () -> consumer.receiveBody(type, timeout <= 0 ? FOREVER : TimeUnit.MILLISECONDS.toNanos(timeout)));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return callNullable(() -> consumer.receiveBody(type, 0));
    }

    @Override
    public void close() {
        run(consumer::close);
    }
}
