package io.metaq.benchmarks.metaq;

import io.metaq.benchmarks.driver.Completion;
import io.metaq.benchmarks.driver.Sender;
import io.metaq.client.Message;
import io.metaq.client.Producer;

/** A producer of MetaQ's client. */
final class MetaqSender implements Sender {

    private final String topic;
    private final Producer producer;

    MetaqSender(String topic, Producer producer) {
        this.topic = topic;
        this.producer = producer;
    }

    @Override
    public void send(byte[] body, Completion done) {
        producer.send(Message.of(topic, body), (result, failure) -> done.done(failure));
    }

    @Override
    public void sendAndWait(byte[] body) {
        producer.send(Message.of(topic, body));
    }

    @Override
    public void close() {
        producer.close();
    }
}
