package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Conformance
class BodiesTest {
    /** A class of the application, which the tests' connections trust. */
    record Order(String name, int count) implements Serializable {}

    private static final Map<String, Object> ALL = new LinkedHashMap<>();

    static {
        ALL.put("boolean", true);
        ALL.put("byte", (byte) 7);
        ALL.put("short", (short) 300);
        ALL.put("char", 'ß');
        ALL.put("int", 70_000);
        ALL.put("long", 1L << 40);
        ALL.put("float", 1.5f);
        ALL.put("double", 2.25);
        ALL.put("String", "1");
        ALL.put("bytes", new byte[] {1, 2, 3});
    }

    /** Table 3-7: what each type can be read as, apart from text, which is read as what it holds. */
    private static final Map<String, String> READABLE = Map.of(
            "boolean", "boolean String",
            "byte", "byte short int long String",
            "short", "short int long String",
            "char", "char String",
            "int", "int long String",
            "long", "long String",
            "float", "float double String",
            "double", "double String",
            "String", "boolean byte short int long float double String",
            "bytes", "bytes");

    @FunctionalInterface
    private interface Reader<M> {
        Object read(M message) throws JMSException;
    }

    private static final Map<String, Reader<StreamMessage>> STREAM = new LinkedHashMap<>();
    private static final Map<String, Reader<MapMessage>> MAP = new LinkedHashMap<>();

    static {
        STREAM.put("boolean", StreamMessage::readBoolean);
        STREAM.put("byte", StreamMessage::readByte);
        STREAM.put("short", StreamMessage::readShort);
        STREAM.put("char", StreamMessage::readChar);
        STREAM.put("int", StreamMessage::readInt);
        STREAM.put("long", StreamMessage::readLong);
        STREAM.put("float", StreamMessage::readFloat);
        STREAM.put("double", StreamMessage::readDouble);
        STREAM.put("String", StreamMessage::readString);
        STREAM.put("bytes", message -> message.readBytes(new byte[10]));
        MAP.put("boolean", message -> message.getBoolean("it"));
        MAP.put("byte", message -> message.getByte("it"));
        MAP.put("short", message -> message.getShort("it"));
        MAP.put("char", message -> message.getChar("it"));
        MAP.put("int", message -> message.getInt("it"));
        MAP.put("long", message -> message.getLong("it"));
        MAP.put("float", message -> message.getFloat("it"));
        MAP.put("double", message -> message.getDouble("it"));
        MAP.put("String", message -> message.getString("it"));
        MAP.put("bytes", message -> message.getBytes("it"));
    }

    static Stream<String> types() {
        return ALL.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    @Covers(
            sections = "3.11.3",
            rules = {20, 21})
    void shouldConvertFieldsOfStreamsByTheTableAndInNoOtherWay(String type, Jms jms) throws JMSException {
        Session session = jms.session();
        StreamMessage sent = session.createStreamMessage();
        sent.writeObject(ALL.get(type));
        StreamMessage received = jms.through(session, sent);

        checkConversions(type, STREAM, received, received::reset);
    }

    @ParameterizedTest
    @MethodSource("types")
    @Covers(sections = "3.11.3", rules = 20)
    void shouldConvertEntriesOfMapsByTheTableAndInNoOtherWay(String type, Jms jms) throws JMSException {
        Session session = jms.session();
        MapMessage sent = session.createMapMessage();
        sent.setObject("it", ALL.get(type));
        MapMessage received = jms.through(session, sent);

        checkConversions(type, MAP, received, () -> {});
    }

    @FunctionalInterface
    private interface Step {
        void run() throws JMSException;
    }

    private static <M> void checkConversions(String type, Map<String, Reader<M>> readers, M message, Step rewind)
            throws JMSException {
        List<String> readable = List.of(READABLE.get(type).split(" "));
        for (Map.Entry<String, Reader<M>> reader : readers.entrySet()) {
            if (readable.contains(reader.getKey())) {
                reader.getValue().read(message);
                rewind.run();
            } else {
                assertThatThrownBy(() -> reader.getValue().read(message))
                        .as("%s read as %s", type, reader.getKey())
                        .isInstanceOf(MessageFormatException.class);
            }
        }
    }

    @Test
    @Covers(sections = "3.11.3", rules = 20)
    void shouldReadNullAsValueOfWould(Jms jms) throws JMSException {
        Session session = jms.session();
        MapMessage map = jms.through(session, session.createMapMessage());

        assertThat(map.getBoolean("absent")).isFalse();
        assertThat(map.getString("absent")).isNull();
        assertThat(map.getBytes("absent")).isNull();
        assertThat(map.getObject("absent")).isNull();
        assertThatThrownBy(() -> map.getChar("absent")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.getInt("absent")).isInstanceOf(NumberFormatException.class);
    }

    @Test
    @Covers(sections = "3.11.3", rules = 20)
    void shouldRefuseNamesThatAreEmptyAndTypesThatAreNotTheirs(Jms jms) throws JMSException {
        MapMessage map = jms.session().createMapMessage();
        StreamMessage stream = jms.session().createStreamMessage();

        assertThatThrownBy(() -> map.setInt("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> map.setString(null, "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> map.setBytes("", new byte[1])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> map.setObject("x", List.of())).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> stream.writeObject(List.of())).isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Covers(
            sections = {"3.11", "3.11.3"},
            rules = 20)
    void shouldBringMapsAndStreamsBackWhole(Jms jms) throws JMSException {
        Session session = jms.session();
        MapMessage map = session.createMapMessage();
        StreamMessage stream = session.createStreamMessage();
        for (Map.Entry<String, Object> entry : ALL.entrySet()) {
            map.setObject(entry.getKey(), entry.getValue());
            stream.writeObject(entry.getValue());
        }
        map.setObject("null", null);
        stream.writeObject(null);
        MapMessage mapBack = jms.through(session, map);
        StreamMessage streamBack = jms.through(session, stream);

        List<String> names = new ArrayList<>();
        Collections.list(mapBack.getMapNames()).forEach(name -> names.add(name.toString()));
        assertThat(names).containsExactlyInAnyOrderElementsOf(withNull());
        for (Map.Entry<String, Object> entry : ALL.entrySet()) {
            assertThat(mapBack.getObject(entry.getKey())).isEqualTo(entry.getValue());
            assertThat(streamBack.readObject()).isEqualTo(entry.getValue());
        }
        assertThat(mapBack.itemExists("null")).isTrue();
        assertThat(mapBack.getObject("null")).isNull();
        assertThat(streamBack.readObject()).isNull();
    }

    private static List<String> withNull() {
        List<String> names = new ArrayList<>(ALL.keySet());
        names.add("null");
        return names;
    }

    @Test
    @Covers(sections = "3.11.3", rules = 21)
    void shouldNotAdvanceWhenAReadFails(Jms jms) throws JMSException {
        Session session = jms.session();
        StreamMessage stream = session.createStreamMessage();
        stream.writeString("no number");
        stream.writeInt(1);
        StreamMessage back = jms.through(session, stream);

        assertThatThrownBy(back::readInt).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(back::readChar).isInstanceOf(MessageFormatException.class);
        assertThat(back.readString()).isEqualTo("no number");
        assertThat(back.readInt()).isEqualTo(1);
        assertThatThrownBy(back::readInt).isInstanceOf(MessageEOFException.class);
    }

    @Test
    @Covers(sections = "3.11", rules = 21)
    void shouldReadByteFieldsOfStreamsInPieces(Jms jms) throws JMSException {
        Session session = jms.session();
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(new byte[] {1, 2, 3});
        stream.writeBytes(new byte[0]);
        stream.writeBytes(null);
        stream.writeBytes(new byte[] {4, 5});
        stream.writeString("end");
        StreamMessage back = jms.through(session, stream);
        byte[] two = new byte[2];

        assertThat(back.readBytes(two)).isEqualTo(2);
        assertThatThrownBy(back::readString).isInstanceOf(MessageFormatException.class);
        assertThat(back.readBytes(two)).isEqualTo(1);
        assertThat(two[0]).isEqualTo((byte) 3);
        assertThat(back.readBytes(two)).isZero();
        assertThat(back.readBytes(two)).isEqualTo(-1);
        assertThat(back.readBytes(two)).isEqualTo(2);
        assertThat(back.readBytes(two)).isEqualTo(-1);
        assertThat(back.readString()).isEqualTo("end");
    }

    @Test
    @Covers(
            sections = {"3.11", "3.12"},
            rules = 21)
    void shouldReadBytes(Jms jms) throws JMSException {
        Session session = jms.session();
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBoolean(true);
        bytes.writeByte((byte) -1);
        bytes.writeShort((short) -2);
        bytes.writeChar('ß');
        bytes.writeInt(-3);
        bytes.writeLong(-4);
        bytes.writeFloat(1.5f);
        bytes.writeDouble(2.5);
        bytes.writeUTF("größer");
        bytes.writeBytes(new byte[] {9, 8, 7}, 1, 1);
        assertThatThrownBy(() -> bytes.writeObject(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(bytes::readInt).isInstanceOf(MessageNotReadableException.class);
        BytesMessage back = jms.through(session, bytes);

        assertThat(back.getBodyLength()).isEqualTo(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 2 + 8 + 1);
        assertThat(back.readBoolean()).isTrue();
        assertThat(back.readUnsignedByte()).isEqualTo(255);
        assertThat(back.readUnsignedShort()).isEqualTo(65534);
        assertThat(back.readChar()).isEqualTo('ß');
        assertThat(back.readInt()).isEqualTo(-3);
        assertThat(back.readLong()).isEqualTo(-4);
        assertThat(back.readFloat()).isEqualTo(1.5f);
        assertThat(back.readDouble()).isEqualTo(2.5);
        assertThat(back.readUTF()).isEqualTo("größer");
        byte[] rest = new byte[5];
        assertThat(back.readBytes(rest)).isEqualTo(1);
        assertThat(rest[0]).isEqualTo((byte) 8);
        assertThat(back.readBytes(rest)).isEqualTo(-1);
        assertThatThrownBy(back::readByte).isInstanceOf(MessageEOFException.class);
        assertThatThrownBy(() -> back.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Covers(
            sections = {"3.11.1", "3.11.2", "3.10"},
            rules = 21)
    void shouldBeReadOnlyWhenReceivedUntilCleared(Jms jms) throws JMSException {
        Session session = jms.session();
        MapMessage map = session.createMapMessage();
        map.setInt("a", 1);
        map.setIntProperty("property", 1);
        MapMessage back = jms.through(session, map);
        assertThatThrownBy(() -> back.setInt("a", 2)).isInstanceOf(MessageNotWriteableException.class);
        back.clearBody();
        assertThat(back.itemExists("a")).isFalse();
        back.setInt("b", 2);
        assertThat(back.getInt("b")).isEqualTo(2);
        assertThat(back.getIntProperty("property")).isEqualTo(1);

        TextMessage text = jms.through(session, session.createTextMessage("x"));
        assertThatThrownBy(() -> text.setText("y")).isInstanceOf(MessageNotWriteableException.class);
        text.clearBody();
        assertThat(text.getText()).isNull();

        StreamMessage stream = jms.through(session, session.createStreamMessage());
        assertThatThrownBy(() -> stream.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        stream.clearBody();
        assertThatThrownBy(stream::readInt).isInstanceOf(MessageNotReadableException.class);
        stream.writeInt(1);
        stream.reset();
        assertThat(stream.readInt()).isEqualTo(1);
    }

    @Test
    @Covers(sections = "3.10", rules = 12)
    void shouldRedeliverWhatWasSentAndNotWhatTheConsumerMadeOfIt(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "original");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        TextMessage first = (TextMessage) Jms.next(consumer);
        first.clearBody();
        first.setText("changed");
        first.setJMSType("changed");
        session.recover();
        TextMessage again = (TextMessage) Jms.next(consumer);

        assertThat(again.getText()).isEqualTo("original");
        assertThat(again.getJMSType()).isNull();
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @Test
    @Covers(sections = "3.9")
    void shouldNotSeeWhatTheSenderChangesLater(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        TextMessage message = session.createTextMessage("one");
        producer.send(message);
        message.setText("two");
        producer.send(message);

        assertThat(Jms.texts(session.createConsumer(queue), 2)).containsExactly("one", "two");
    }

    @Test
    @Covers(
            sections = {"3.11", "3.12"},
            rules = 23)
    void shouldSerialiseObjectsWhenTheyAreSet(Jms jms) throws JMSException {
        Session session = jms.session();
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        ObjectMessage message = session.createObjectMessage(list);
        list.add("b");
        ObjectMessage back = jms.through(session, message);

        assertThat(back.getObject()).isEqualTo(List.of("a"));
        assertThat(jms.through(session, session.createObjectMessage()).getObject())
                .isNull();
        assertThatThrownBy(() -> back.setObject("x")).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Covers(sections = "3.11", rules = 23)
    void shouldRefuseObjectsWhoseClassesNobodyTrusts(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        session.createProducer(queue).send(session.createObjectMessage(new Order("book", 2)));
        try (var connection = new io.metaq.jms.MetaQConnectionFactory(jms.uri()).createConnection()) {
            connection.start();
            MessageConsumer wary =
                    connection.createSession(Session.CLIENT_ACKNOWLEDGE).createConsumer(queue);
            ObjectMessage refused = (ObjectMessage) Jms.next(wary);
            assertThatThrownBy(refused::getObject)
                    .isInstanceOf(JMSException.class)
                    .hasStackTraceContaining(Order.class.getName());
        }
        assertThat(((ObjectMessage) Jms.next(session.createConsumer(queue))).getObject())
                .isEqualTo(new Order("book", 2));
    }

    @Test
    @Covers(sections = "6.2.4")
    void shouldSendMessagesOfOtherSessionsAndConnections(Jms jms) throws JMSException {
        Message other = jms.session().createTextMessage("x");

        assertThat(jms.<Message>through(jms.session(), other)).isInstanceOf(TextMessage.class);
    }
}
