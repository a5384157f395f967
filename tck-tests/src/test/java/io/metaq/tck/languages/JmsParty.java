package io.metaq.tck.languages;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Jakarta Messaging. */
final class JmsParty implements Party {
    private static final long PATIENCE_MS = 10_000;

    private final Connection connection;
    private final Session session;

    JmsParty(int port) throws JMSException {
        connection = new MetaQConnectionFactory("metaq://127.0.0.1:" + port).createConnection();
        session = connection.createSession();
        connection.start();
    }

    @Override
    public void send(String queue, List<Described> messages) throws Exception {
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            for (Described described : messages) {
                Map<String, Object> headers = described.headers();
                Message message = message(described);
                for (Map.Entry<String, @Nullable Object> property :
                        Described.values(described.properties()).entrySet()) {
                    message.setObjectProperty(property.getKey(), property.getValue());
                }
                setHeaders(message, headers);
                producer.setDeliveryDelay((long) headers.getOrDefault("delay", 0L));
                producer.send(
                        message,
                        headers.containsKey("persistent") ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT,
                        Math.toIntExact((long) headers.getOrDefault("priority", 4L)),
                        (long) headers.getOrDefault("timeToLive", 0L));
            }
        }
    }

    private void setHeaders(Message message, Map<String, Object> headers) throws JMSException {
        message.setJMSType((String) headers.get("type"));
        message.setJMSReplyTo(destination((String) headers.get("replyTo")));
        if (headers.get("correlationIdBytes") instanceof String digits) {
            message.setJMSCorrelationIDAsBytes(HexFormat.of().parseHex(digits));
        } else {
            message.setJMSCorrelationID((String) headers.get("correlationId"));
        }
        if (headers.get("groupId") instanceof String group) {
            message.setStringProperty("JMSXGroupID", group);
            message.setIntProperty("JMSXGroupSeq", Math.toIntExact((long) headers.getOrDefault("groupSeq", 0L)));
        }
    }

    private @Nullable Destination destination(@Nullable String uri) throws JMSException {
        if (uri == null) {
            return null;
        }
        String name = uri.substring("queue://".length());
        return uri.startsWith("queue:") ? session.createQueue(name) : session.createTopic(name);
    }

    private Message message(Described described) throws Exception {
        Object body = described.body();
        return switch (described.kind()) {
            case "text" ->
                session.createTextMessage(
                        described.size() > 0
                                ? new String(described.generatedBody(), StandardCharsets.UTF_8)
                                : (String) body);
            case "nulltext" -> session.createTextMessage(null);
            case "bytes" -> {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(
                        described.size() > 0
                                ? described.generatedBody()
                                : HexFormat.of().parseHex((String) body));
                yield message;
            }
            case "map" -> {
                MapMessage message = session.createMapMessage();
                for (Map.Entry<String, @Nullable Object> entry :
                        Described.values(Objects.requireNonNull(body)).entrySet()) {
                    message.setObject(entry.getKey(), entry.getValue());
                }
                yield message;
            }
            case "stream" -> {
                StreamMessage message = session.createStreamMessage();
                for (Object value : Described.plainValues(Objects.requireNonNull(body))) {
                    message.writeObject(value);
                }
                yield message;
            }
            case "object" -> session.createObjectMessage(object(HexFormat.of().parseHex((String) body)));
            default -> session.createMessage();
        };
    }

    private static Serializable object(byte[] serialized) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(serialized))) {
            return (Serializable) in.readObject();
        }
    }

    private static byte[] serialized(@Nullable Object object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    @Override
    public List<Described> receive(String queue, int count) throws Exception {
        List<Described> received = new ArrayList<>();
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            while (received.size() < count) {
                Message message = consumer.receive(PATIENCE_MS);
                if (message == null) {
                    break;
                }
                received.add(described(message));
            }
        }
        return received;
    }

    private static Described described(Message message) throws Exception {
        Map<String, Object> headers = headers(message);
        List<List<Object>> properties = new ArrayList<>();
        for (Object name : Collections.list(message.getPropertyNames())) {
            if (!name.toString().startsWith("JMSX")) {
                properties.add(Described.entry(name, message.getObjectProperty(name.toString())));
            }
        }
        if (message instanceof TextMessage text) {
            return text.getText() == null
                    ? new Described("nulltext", null, 0, headers, properties)
                    : Described.ofBytes("text", text.getText().getBytes(StandardCharsets.UTF_8), headers, properties);
        } else if (message instanceof BytesMessage bytes) {
            byte[] body = new byte[Math.toIntExact(bytes.getBodyLength())];
            bytes.readBytes(body);
            return Described.ofBytes("bytes", body, headers, properties);
        } else if (message instanceof MapMessage map) {
            List<List<Object>> entries = new ArrayList<>();
            for (Object name : Collections.list(map.getMapNames())) {
                entries.add(Described.entry(name, map.getObject(name.toString())));
            }
            return new Described("map", entries, 0, headers, properties);
        } else if (message instanceof StreamMessage stream) {
            return new Described("stream", values(stream), 0, headers, properties);
        } else if (message instanceof ObjectMessage object) {
            String body = HexFormat.of().formatHex(serialized(object.getObject()));
            return new Described("object", body, 0, headers, properties);
        }
        return new Described("none", null, 0, headers, properties);
    }

    private static List<List<Object>> values(StreamMessage stream) throws JMSException {
        List<List<Object>> values = new ArrayList<>();
        try {
            while (true) {
                values.add(Described.pair(stream.readObject()));
            }
        } catch (MessageEOFException e) {
            return values;
        }
    }

    private static Map<String, Object> headers(Message message) throws JMSException {
        Map<String, Object> headers = new HashMap<>();
        put(headers, "type", message.getJMSType());
        Destination replyTo = message.getJMSReplyTo();
        if (replyTo instanceof Queue queue) {
            headers.put("replyTo", "queue://" + queue.getQueueName());
        } else if (replyTo instanceof Topic topic) {
            headers.put("replyTo", "topic://" + topic.getTopicName());
        }
        if (message.getJMSPriority() != 4) {
            headers.put("priority", (long) message.getJMSPriority());
        }
        if (message.getJMSDeliveryMode() == DeliveryMode.NON_PERSISTENT) {
            headers.put("persistent", false);
        }
        if (message.getJMSExpiration() > 0) {
            headers.put("timeToLive", message.getJMSExpiration() - message.getJMSTimestamp());
        }
        if (message.getJMSDeliveryTime() > message.getJMSTimestamp()) {
            headers.put("delay", message.getJMSDeliveryTime() - message.getJMSTimestamp());
        }
        put(headers, "groupId", message.getStringProperty("JMSXGroupID"));
        if (message.propertyExists("JMSXGroupSeq")) {
            headers.put("groupSeq", (long) message.getIntProperty("JMSXGroupSeq"));
        }
        correlation(headers, message.getJMSCorrelationIDAsBytes());
        return headers;
    }

    /** To JMS each can be either; bytes that are no text are bytes. */
    private static void correlation(Map<String, Object> headers, byte @Nullable [] bytes) {
        if (bytes == null) {
            return;
        }
        try {
            headers.put(
                    "correlationId",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (CharacterCodingException e) {
            headers.put("correlationIdBytes", HexFormat.of().formatHex(bytes));
        }
    }

    private static void put(Map<String, Object> headers, String name, @Nullable Object value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
