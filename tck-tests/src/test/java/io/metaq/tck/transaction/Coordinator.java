package io.metaq.tck.transaction;

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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** Narayana in this process: its log in a folder, no ports, and a pass of recovery when it is asked for one. */
final class Coordinator {
    /** In front of the node's name in the identifiers that Narayana gives. */
    private static final int UID_LENGTH = 28;

    private final Path log;
    private final RecoveryManager recovery;

    private Coordinator(Path log, RecoveryManager recovery) {
        this.log = log;
        this.recovery = recovery;
    }

    /** @param node 28 characters at most: whose branches are finished */
    static Coordinator start(Path log, String node, MetaQXAConnectionFactory broker, RowsResource rows)
            throws Exception {
        Coordinator started = start(log, node, broker);
        XARecoveryModule.getRegisteredXARecoveryModule().addXAResourceRecoveryHelper(new Rows(rows));
        return started;
    }

    /** One that works with brokers alone. */
    static Coordinator start(Path log, String node, MetaQXAConnectionFactory... brokers) throws Exception {
        store(null, log);
        store("communicationStore", log);
        store("stateStore", log);
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(node);
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        JTAEnvironmentBean jta = jtaPropertyManager.getJTAEnvironmentBean();
        jta.setXaRecoveryNodes(List.of(node));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter"));
        jta.setOrphanSafetyInterval(100);
        RecoveryEnvironmentBean bean = recoveryPropertyManager.getRecoveryEnvironmentBean();
        bean.setRecoveryModuleClassNames(List.of(
                "com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule"));
        bean.setExpiryScannerClassNames(
                List.of("com.arjuna.ats.internal.arjuna.recovery.ExpiredTransactionStatusManagerScanner"));
        bean.setRecoveryActivatorClassNames(null);
        bean.setRecoveryListener(false);
        bean.setPeriodicRecoveryPeriod(1);
        bean.setRecoveryBackoffPeriod(1);
        RecoveryManager recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        recovery.initialize();
        for (MetaQXAConnectionFactory broker : brokers) {
            MetaqRecovery.register(broker);
        }
        return new Coordinator(log, recovery);
    }

    private record Rows(RowsResource resource) implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String parameter) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() {
            return new XAResource[] {resource};
        }
    }

    private static void store(@Nullable String name, Path log) {
        BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, name).setObjectStoreDir(log.toString());
    }

    TransactionManager transactions() {
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    /** One pass of recovery, which looks twice. */
    void recover() {
        recovery.scan();
    }

    /** How many transactions its log has. */
    int logged() throws IOException {
        try (Stream<Path> files = Files.walk(log)) {
            return (int) files.filter(file -> file.toString().contains("AtomicAction") && Files.isRegularFile(file))
                    .count();
        }
    }

    /** Which node a branch is of. */
    static String nodeOf(Xid xid) {
        byte[] global = xid.getGlobalTransactionId();
        return new String(global, UID_LENGTH, global.length - UID_LENGTH, StandardCharsets.UTF_8);
    }
}
