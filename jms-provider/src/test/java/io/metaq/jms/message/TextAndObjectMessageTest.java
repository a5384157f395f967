package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.destination.MetaQQueue;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class TextAndObjectMessageTest {
    private static final AllowedClasses OURS = AllowedClasses.parse("io.metaq.jms.message.*");

    /** A class of an application. */
    record Order(String what, int count) implements Serializable {}

    private static MetaQObjectMessage received(Serializable object, AllowedClasses allowed) throws JMSException {
        MetaQObjectMessage message = new MetaQObjectMessage();
        message.setObject(object);
        return Transfer.received(message, Transfer.HEADERS, 1, allowed);
    }

    @Test
    void shouldTellNoTextFromEmptyText() throws JMSException {
        for (String text : new String[] {null, "", "Gruß \uD83D\uDE00"}) {
            MetaQTextMessage message = new MetaQTextMessage();
            message.setText(text);
            MetaQTextMessage received = Transfer.received(message);
            assertThat(received.getText()).isEqualTo(text);
            assertThat(Transfer.received(received).getText()).isEqualTo(text);
            assertThatThrownBy(() -> received.setText("x")).isInstanceOf(MessageNotWriteableException.class);
            received.clearBody();
            assertThat(received.getText()).isNull();
            received.setText("x");
            assertThat(received.getText()).isEqualTo("x");
        }
    }

    @Test
    void shouldBeTextAsBody() throws JMSException {
        MetaQTextMessage message = new MetaQTextMessage();
        assertThat(message.getBody(Map.class)).isNull();
        assertThat(message.isBodyAssignableTo(Map.class)).isTrue();
        message.setText("text");
        assertThat(message.getBody(String.class)).isEqualTo("text");
        assertThat(message.getBody(CharSequence.class)).isEqualTo("text");
        assertThat(message.getBody(Object.class)).isEqualTo("text");
        assertThat(message.isBodyAssignableTo(Map.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(Map.class)).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldHaveNoBodyWithoutOne() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        assertThat(message.getBody(Map.class)).isNull();
        assertThat(message.isBodyAssignableTo(Map.class)).isTrue();
    }

    @Test
    void shouldSerialiseWhenTheObjectIsSet() throws JMSException {
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        MetaQObjectMessage message = new MetaQObjectMessage();
        message.setObject(list);
        list.add("b");
        assertThat(message.getObject()).isEqualTo(List.of("a")).isNotSameAs(message.getObject());
        assertThat(Transfer.received(message).getObject()).isEqualTo(List.of("a"));
        MetaQObjectMessage received = Transfer.received(message);
        assertThatThrownBy(() -> received.setObject("x")).isInstanceOf(MessageNotWriteableException.class);
        received.clearBody();
        assertThat(received.getObject()).isNull();
        message.setObject(null);
        assertThat(Transfer.received(message).getObject()).isNull();
    }

    @Test
    void shouldRefuseWhatCannotBeSerialised() {
        class NotReally implements Serializable {
            final Object field = new Object();
        }
        assertThatThrownBy(() -> new MetaQObjectMessage().setObject(new NotReally()))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldMakeValuesAndCollectionsOfTheJdk() throws JMSException {
        Map<String, Object> map = new HashMap<>();
        map.put("list", List.of(1, 2L, 3.0, 'c', "s"));
        map.put("array", new String[][] {{"a"}});
        map.put("sorted", new TreeMap<>(Map.of("a", 1)));
        map.put("concurrent", new ConcurrentHashMap<>(Map.of("a", 1)));
        List<Serializable> values = List.of(
                new int[] {1},
                new BigDecimal("1.5"),
                Instant.EPOCH,
                ZonedDateTime.parse("2026-01-01T00:00:00+01:00[Europe/Berlin]"),
                new GregorianCalendar(),
                (Serializable) Set.of(1),
                new Exception("x").getMessage());
        for (Serializable value : values) {
            assertThat(received(value, AllowedClasses.DEFAULT).getObject()).isEqualTo(value);
        }
        assertThat(((Map<?, ?>) received((Serializable) map, AllowedClasses.DEFAULT)
                                .getObject())
                        .keySet())
                .isEqualTo(map.keySet());
    }

    @Test
    void shouldRefuseOtherClassesUnlessAllowed() throws JMSException {
        Order order = new Order("tea", 2);
        MetaQObjectMessage refused = received(order, AllowedClasses.DEFAULT);
        assertThatThrownBy(refused::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("trustedClasses")
                .hasMessageContaining(Order.class.getName());
        assertThatThrownBy(() -> refused.getBody(Order.class)).isInstanceOf(MessageFormatException.class);
        assertThat(refused.isBodyAssignableTo(Order.class)).isFalse();
        assertThat(refused.isBodyAssignableTo(Object.class)).isFalse();
        MetaQObjectMessage inside = received(new ArrayList<>(List.of(order)), AllowedClasses.DEFAULT);
        assertThatThrownBy(inside::getObject).hasMessageContaining("trustedClasses");
        MetaQObjectMessage array = received(new Order[] {order}, AllowedClasses.DEFAULT);
        assertThatThrownBy(array::getObject).hasMessageContaining("trustedClasses");
        Comparator<String> lambda = (Comparator<String> & Serializable) (a, b) -> 0;
        assertThatThrownBy(received((Serializable) lambda, AllowedClasses.DEFAULT)::getObject)
                .isInstanceOf(MessageFormatException.class);

        for (String patterns :
                List.of("*", "io.metaq.**", "io.metaq.jms.message.*", TextAndObjectMessageTest.class.getName())) {
            AllowedClasses allowed = AllowedClasses.parse("com.acme.*, " + patterns);
            assertThat(received(order, allowed).getBody(Order.class))
                    .as(patterns)
                    .isEqualTo(order);
            assertThat(received(order, allowed).isBodyAssignableTo(Order.class)).isTrue();
            assertThat(received(order, allowed).isBodyAssignableTo(Map.class)).isFalse();
        }
        // Forwarding needs no class at all.
        assertThat(Transfer.received(refused, Transfer.HEADERS, 1, OURS).getObject())
                .isEqualTo(order);
    }

    @Test
    void shouldMatchPatternsOnWholeNames() {
        AllowedClasses allowed = AllowedClasses.parse("com.acme.Order,com.other.*,org.deep.**");
        for (String name :
                List.of("com.acme.Order", "com.acme.Order$Line", "com.other.A", "org.deep.A", "org.deep.er.A")) {
            assertThat(allowed.allows(name)).as(name).isTrue();
        }
        for (String name : List.of(
                "com.acme.Orders",
                "com.acmeXOrder",
                "com.other.deep.A",
                "com.othe",
                "org.deeper.A",
                "x.java.util.A",
                "java.lang.reflect.Proxy",
                "java.rmi.server.RemoteObject")) {
            assertThat(allowed.allows(name)).as(name).isFalse();
        }
        for (String bad : List.of("com.*.x", "a b", ".x", "x.", "com.acme.***", "-")) {
            assertThatThrownBy(() -> AllowedClasses.parse(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseBytesThatAreNoObject() {
        MetaQObjectMessage message =
                new MetaQObjectMessage(BodySource.of(ByteBuffer.wrap(new byte[] {1, 2, 3})), AllowedClasses.ALL);
        message.received(null, 1, 1, new MetaQQueue("q"));
        assertThatThrownBy(message::getObject).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldFindClassesWhereTheThreadDoes() throws Exception {
        MetaQObjectMessage message = received(new Order("tea", 1), OURS);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        List<String> asked = new ArrayList<>();
        ClassLoader watching = new ClassLoader(before) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                asked.add(name);
                return super.loadClass(name, resolve);
            }
        };
        try {
            thread.setContextClassLoader(watching);
            assertThat(message.getObject()).isEqualTo(new Order("tea", 1));
            assertThat(asked).contains(Order.class.getName());
            thread.setContextClassLoader(null);
            assertThat(message.getObject()).isEqualTo(new Order("tea", 1));
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
