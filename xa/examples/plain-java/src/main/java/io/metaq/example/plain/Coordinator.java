package io.metaq.example.plain;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.xa.narayana.MetaqRecovery;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;

/** Narayana: where its log is, whose transactions are its own, and what it recovers after a crash. One per process. */
public final class Coordinator implements AutoCloseable {

    private final RecoveryManager recovery;
    private final MetaqRecovery broker;

    /**
     * Configures Narayana, and begins to finish what an earlier process of this node left behind.
     *
     * @param log folder of its log; belongs to this node alone and must outlive it
     * @param node name of this node, 28 bytes at most, no other's that uses the same broker or database
     */
    public Coordinator(Path log, String node, MetaQXAConnectionFactory queues, XADataSource database)
            throws CoreEnvironmentBeanException {
        configure(log, node);
        recovery = RecoveryManager.manager();
        recovery.initialize();
        broker = MetaqRecovery.register(queues);
        XARecoveryModule.getRegisteredXARecoveryModule().addXAResourceRecoveryHelper(new DatabaseRecovery(database));
    }

    private static void configure(Path log, String node) throws CoreEnvironmentBeanException {
        for (String store : new String[] {"default", "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store.equals("default") ? null : store)
                    .setObjectStoreDir(log.toString());
        }
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(node);
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);

        JTAEnvironmentBean jta = jtaPropertyManager.getJTAEnvironmentBean();
        // Without this nothing is rolled back. Others' branches are left alone.
        jta.setXaRecoveryNodes(List.of(node));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter"));

        RecoveryEnvironmentBean recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryModuleClassNames(List.of(
                "com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule"));
        recovery.setRecoveryActivatorClassNames(null);
        recovery.setRecoveryListener(false);
        recovery.setPeriodicRecoveryPeriod(10);
        recovery.setRecoveryBackoffPeriod(1);
    }

    /** Connects for each pass, since a connection may have died since the last one. */
    private record DatabaseRecovery(XADataSource database) implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String parameter) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() throws Exception {
            return new XAResource[] {database.getXAConnection().getXAResource()};
        }
    }

    public TransactionManager transactions() {
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    /** Waits for a pass of recovery that is under way. */
    @Override
    public void close() {
        broker.close();
        recovery.terminate();
    }
}
