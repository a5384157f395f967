package io.metaq.jms.message;

import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Objects to bytes and back, with the classes of the application that calls. */
final class ObjectBytes {
    private ObjectBytes() {}

    static byte[] write(Serializable object) throws MessageFormatException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException | RuntimeException e) {
            throw failed("cannot serialise a " + object.getClass().getName() + ": " + e, e);
        }
        return bytes.toByteArray();
    }

    static Serializable read(ByteBuffer bytes, AllowedClasses allowed) throws MessageFormatException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        AllowedClasses.Filter filter = allowed.filter();
        try (ObjectInputStream in = new ContextObjectInputStream(new ByteArrayInputStream(copy))) {
            in.setObjectInputFilter(filter);
            return (Serializable) in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            String refused = filter.refused();
            if (refused != null) {
                throw failed(
                        "the object has a " + refused + ", which the connection's option trustedClasses does not allow",
                        e);
            }
            throw failed("cannot make the object of its bytes: " + e, e);
        }
    }

    private static MessageFormatException failed(String text, Throwable cause) {
        MessageFormatException failure = new MessageFormatException(text);
        failure.initCause(cause);
        return failure;
    }

    /** Looks classes up where the thread would, which in containers is where the application's classes are. */
    private static final class ContextObjectInputStream extends ObjectInputStream {
        private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

        ContextObjectInputStream(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            if (loader != null) {
                try {
                    return Class.forName(description.getName(), false, loader);
                } catch (ClassNotFoundException e) {
                    // Primitives, and classes that only the provider's own loader knows.
                    return super.resolveClass(description);
                }
            }
            return super.resolveClass(description);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
            if (loader == null) {
                return super.resolveProxyClass(interfaces);
            }
            Class<?>[] types = new Class<?>[interfaces.length];
            for (int i = 0; i < types.length; i++) {
                types[i] = Class.forName(interfaces[i], false, loader);
            }
            return Proxy.newProxyInstance(loader, types, (proxy, method, arguments) -> null)
                    .getClass();
        }
    }
}
