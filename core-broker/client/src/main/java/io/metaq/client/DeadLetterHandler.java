package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** Sends a rejected message to another topic. */
final class DeadLetterHandler implements RejectHandler {

    private final Producer producer;
    private final String topic;

    DeadLetterHandler(Producer producer, String topic) {
        TopicNames.check(topic);
        this.producer = producer;
        this.topic = topic;
    }

    @Override
    public void reject(String group, Message message, @Nullable Throwable cause) {
        Message letter = Message.of(topic, message.data()).flag(message.flag());
        String attribute = message.attribute();
        producer.send(attribute == null ? letter : letter.attribute(attribute));
    }
}
