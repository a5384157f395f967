package io.metaq.benchmarks.peer.metaq14;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.SendMessageCallback;
import com.taobao.metamorphosis.client.producer.SendResult;
import io.metaq.benchmarks.driver.Completion;
import io.metaq.benchmarks.driver.Sender;
import java.util.concurrent.TimeUnit;

/** A producer of the original client. */
final class Metaq14Sender implements Sender {

    private static final long TIMEOUT_SECONDS = 60;

    private final String topic;
    private final MessageProducer producer;

    Metaq14Sender(String topic, MessageProducer producer) {
        this.topic = topic;
        this.producer = producer;
    }

    @Override
    public void send(byte[] body, Completion done) {
        SendMessageCallback callback = new SendMessageCallback() {
            @Override
            public void onMessageSent(SendResult result) {
                done.done(result.isSuccess() ? null : failure(result));
            }

            @Override
            public void onException(Throwable error) {
                done.done(error);
            }
        };
        producer.sendMessage(new Message(topic, body), callback, TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void sendAndWait(byte[] body) throws Exception {
        SendResult result = producer.sendMessage(new Message(topic, body), TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (!result.isSuccess()) {
            throw failure(result);
        }
    }

    private static IllegalStateException failure(SendResult result) {
        return new IllegalStateException("refused: " + result.getErrorMessage());
    }

    @Override
    public void close() throws Exception {
        producer.shutdown();
    }
}
