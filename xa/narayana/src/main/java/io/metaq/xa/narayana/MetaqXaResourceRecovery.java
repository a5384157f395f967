package io.metaq.xa.narayana;

import com.arjuna.ats.jta.recovery.XAResourceRecovery;
import io.metaq.jms.recovery.ReconnectingXaResource;
import io.metaq.jms.uri.ConnectionUri;
import java.util.List;
import java.util.NoSuchElementException;
import javax.transaction.xa.XAResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link MetaqRecovery} by configuration alone:
 *
 * <pre>{@code
 * <entry key="JTAEnvironmentBean.xaResourceRecoveryClassNames">
 *   io.metaq.xa.narayana.MetaqXaResourceRecovery;metaq://broker:8123?user=recovery&amp;password=secret
 * </entry>
 * }</pre>
 *
 * <p>Narayana asks for resource after resource until there are no more, in each pass again.
 */
public final class MetaqXaResourceRecovery implements XAResourceRecovery {

    private static final Logger LOG = LoggerFactory.getLogger(MetaqXaResourceRecovery.class);

    private List<ReconnectingXaResource> resources = List.of();
    private int next;

    /** @param uri a connection URI, as connection factories have it */
    @Override
    public synchronized boolean initialise(String uri) {
        try {
            resources = ReconnectingXaResource.forEachBroker(ConnectionUri.parse(uri.strip()));
            return true;
        } catch (IllegalArgumentException e) {
            LOG.error("branches at MetaQ will not be recovered: {}", e.getMessage());
            return false;
        }
    }

    @Override
    public synchronized boolean hasMoreResources() {
        boolean more = next < resources.size();
        if (!more) {
            next = 0;
        }
        return more;
    }

    @Override
    public synchronized XAResource getXAResource() {
        if (next >= resources.size()) {
            throw new NoSuchElementException("all brokers were given in this pass");
        }
        return resources.get(next++);
    }
}
