package io.metaq.tck.joram;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.jms.jndi.MetaQInitialContextFactory;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NamingException;
import org.objectweb.jtests.jms.admin.Admin;

/** What the suite asks of the administrator of a provider. Names are bound in our own naming context, one for each test. */
@SuppressWarnings("BanJNDI") // the suite finds its objects by JNDI
public final class MetaQAdmin implements Admin {
    private final Context context;

    /** For the suite, which makes it by its name in {@code provider.properties}. */
    public MetaQAdmin() throws NamingException {
        context = new MetaQInitialContextFactory().getInitialContext(new Hashtable<>());
    }

    @Override
    public String getName() {
        return "MetaQ";
    }

    @Override
    public Context createContext() throws NamingException {
        return (Context) context.lookup("");
    }

    @Override
    public void createConnectionFactory(String name) {
        bind(name, new MetaQConnectionFactory(OneBroker.get().uri()));
    }

    @Override
    public void createQueueConnectionFactory(String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createTopicConnectionFactory(String name) {
        createConnectionFactory(name);
    }

    @Override
    public void createQueue(String name) {
        bind(name, new MetaQQueue(name));
    }

    @Override
    public void createTopic(String name) {
        bind(name, new MetaQTopic(name));
    }

    @Override
    public void deleteQueue(String name) {
        unbind(name);
        OneBroker.get().delete(name);
    }

    @Override
    public void deleteTopic(String name) {
        deleteQueue(name);
    }

    @Override
    public void deleteConnectionFactory(String name) {
        unbind(name);
    }

    @Override
    public void deleteQueueConnectionFactory(String name) {
        unbind(name);
    }

    @Override
    public void deleteTopicConnectionFactory(String name) {
        unbind(name);
    }

    private void bind(String name, Object object) {
        try {
            context.rebind(name, object);
        } catch (NamingException e) {
            throw new IllegalStateException("cannot bind " + name, e);
        }
    }

    private void unbind(String name) {
        try {
            context.unbind(name);
        } catch (NamingException e) {
            throw new IllegalStateException("cannot unbind " + name, e);
        }
    }

    @Override
    public void startServer() {
        OneBroker.get();
    }

    /** Leaves the broker to the next test. */
    @Override
    public void stopServer() {}

    @Override
    public void start() {
        OneBroker.get();
    }

    /** Leaves the broker to the next test. */
    @Override
    public void stop() {}
}
