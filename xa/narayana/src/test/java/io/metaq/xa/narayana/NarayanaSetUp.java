package io.metaq.xa.narayana;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Narayana as a test wants it: its log in a folder, no ports, passes of recovery when the test says so. Once per process. */
final class NarayanaSetUp {

    private NarayanaSetUp() {}

    /** @param node 28 characters at most: whose branches are finished */
    static RecoveryManager start(Path log, String node) throws Exception {
        List<String> stores = new ArrayList<>();
        stores.add(null);
        stores.add("communicationStore");
        stores.add("stateStore");
        for (String store : stores) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(node);
        CoordinatorEnvironmentBean coordinator = arjPropertyManager.getCoordinatorEnvironmentBean();
        coordinator.setTransactionStatusManagerEnable(false);
        JTAEnvironmentBean jta = jtaPropertyManager.getJTAEnvironmentBean();
        jta.setXaRecoveryNodes(List.of(node));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter"));
        jta.setOrphanSafetyInterval(100);
        RecoveryEnvironmentBean recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryModuleClassNames(List.of(
                "com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule"));
        recovery.setExpiryScannerClassNames(
                List.of("com.arjuna.ats.internal.arjuna.recovery.ExpiredTransactionStatusManagerScanner"));
        recovery.setRecoveryActivatorClassNames(null);
        recovery.setRecoveryListener(false);
        recovery.setPeriodicRecoveryPeriod(1);
        recovery.setRecoveryBackoffPeriod(1);
        RecoveryManager manager = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        manager.initialize();
        return manager;
    }
}
