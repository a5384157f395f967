package io.metaq.xa;

import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import java.util.List;
import javax.transaction.xa.XAException;

/** A broker's transactions by a link of the client, where the broker has any. */
public final class LinkResourceManager implements ResourceManager {

    private final SubscriberLink link;

    /** @param timeoutMs how long a call waits for the broker, reconnects included */
    public LinkResourceManager(SubscriberLink link, long timeoutMs) {
        this.link = link;
    }

    @Override
    public String id() {
        return link.brokerId() + "";
    }

    @Override
    public int enlist(String key, Then then, TransactionParts parts, boolean begun, int timeoutSeconds)
            throws XAException {
        throw notOffered();
    }

    @Override
    public void finish(String key, Step step) throws XAException {
        throw notOffered();
    }

    @Override
    public List<String> recover() throws XAException {
        throw notOffered();
    }

    private static XAException notOffered() {
        return XaFailures.of(XAException.XAER_RMERR, "the broker has no global transactions");
    }
}
