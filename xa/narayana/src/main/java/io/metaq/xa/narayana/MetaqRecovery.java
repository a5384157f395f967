package io.metaq.xa.narayana;

import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.recovery.ReconnectingXaResource;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.transaction.xa.XAResource;

/**
 * Has Narayana's recovery look after the brokers of a connection factory:
 *
 * <pre>{@code
 * RecoveryManager.manager().initialize();
 * MetaqRecovery.register(factory);
 * }</pre>
 *
 * <p>Without it, what is prepared when an application crashes stays prepared, and its messages locked, until the transaction that is in
 * the application's log is found again, or an operator decides. Only branches of the nodes that {@code JTAEnvironmentBean.xaRecoveryNodes}
 * names are rolled back: those of others are left alone, whatever their state.
 *
 * <p>A broker that is away is asked again in the next pass. {@link MetaqXaResourceRecovery} does the same for those who configure by
 * properties.
 */
public final class MetaqRecovery implements AutoCloseable {

    private final XARecoveryModule module;
    private final XAResourceRecoveryHelper helper;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MetaqRecovery(XARecoveryModule module, XAResourceRecoveryHelper helper) {
        this.module = module;
        this.helper = helper;
    }

    /** One resource for each broker, for good: they connect when they are asked, and need not be closed. */
    private record Brokers(XAResource... resources) implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String parameter) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() {
            return resources.clone();
        }
    }

    /**
     * Registers with the recovery of this process, which must be initialised.
     *
     * @throws IllegalStateException when Narayana's recovery is not initialised, or does no XA
     */
    public static MetaqRecovery register(MetaQXAConnectionFactory factory) {
        XARecoveryModule module = XARecoveryModule.getRegisteredXARecoveryModule();
        if (module == null) {
            throw new IllegalStateException(
                    "Narayana recovers no XA here: RecoveryEnvironmentBean.recoveryModuleClassNames lacks "
                            + XARecoveryModule.class.getName());
        }
        return register(factory, module);
    }

    /** Registers with this module, for those who have several. */
    public static MetaqRecovery register(MetaQXAConnectionFactory factory, XARecoveryModule module) {
        XAResource[] resources =
                ReconnectingXaResource.forEachBroker(factory.options()).toArray(new XAResource[0]);
        MetaqRecovery registered = new MetaqRecovery(module, new Brokers(resources));
        module.addXAResourceRecoveryHelper(registered.helper);
        return registered;
    }

    /** Ends it; waits for a pass that is under way. What is in doubt then waits until it is registered again. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            module.removeXAResourceRecoveryHelper(helper);
        }
    }
}
