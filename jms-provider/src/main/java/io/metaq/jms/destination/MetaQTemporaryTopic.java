package io.metaq.jms.destination;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryTopic;
import org.jspecify.annotations.Nullable;

/** A topic that lives as long as the connection that made it. A received copy names it, but cannot delete it. */
public final class MetaQTemporaryTopic extends MetaQTopic implements TemporaryTopic {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable TemporaryOwner owner;

    /**
     * @param name begins with {@code temp:}
     * @param owner the connection that made it; null for one that is only named
     */
    public MetaQTemporaryTopic(String name, @Nullable TemporaryOwner owner) {
        super(Kind.TEMPORARY_TOPIC, name);
        this.owner = owner;
    }

    @Override
    public void delete() throws JMSException {
        if (owner == null) {
            throw new IllegalStateException(this + " can be deleted only by the object that its connection made");
        }
        owner.delete(this);
    }
}
