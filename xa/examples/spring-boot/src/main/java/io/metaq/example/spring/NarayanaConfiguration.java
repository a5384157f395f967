package io.metaq.example.spring;

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
import java.util.List;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.jta.JtaTransactionManager;

/** Narayana as the application's transaction manager, and what it recovers after a crash. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NarayanaProperties.class)
class NarayanaConfiguration {

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

    /** Everything that uses transactions takes this, so that Narayana is configured before its first use. */
    @Bean
    JtaTransactionManager transactionManager(NarayanaProperties properties) throws CoreEnvironmentBeanException {
        for (String store : new String[] {"default", "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store.equals("default") ? null : store)
                    .setObjectStoreDir(properties.log());
        }
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(properties.node());
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        JTAEnvironmentBean jta = jtaPropertyManager.getJTAEnvironmentBean();
        // Without this nothing is rolled back. Others' branches are left alone.
        jta.setXaRecoveryNodes(List.of(properties.node()));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter"));
        return new JtaTransactionManager(
                com.arjuna.ats.jta.UserTransaction.userTransaction(),
                com.arjuna.ats.jta.TransactionManager.transactionManager());
    }

    @Bean(destroyMethod = "terminate")
    RecoveryManager recovery(JtaTransactionManager configured) {
        RecoveryEnvironmentBean recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryModuleClassNames(List.of(
                "com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule",
                "com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule"));
        recovery.setRecoveryActivatorClassNames(null);
        recovery.setRecoveryListener(false);
        recovery.setPeriodicRecoveryPeriod(10);
        recovery.setRecoveryBackoffPeriod(1);
        RecoveryManager manager = RecoveryManager.manager();
        manager.initialize();
        return manager;
    }

    @Bean
    MetaqRecovery brokerRecovery(RecoveryManager started, MetaQXAConnectionFactory broker, XADataSource database) {
        XARecoveryModule.getRegisteredXARecoveryModule().addXAResourceRecoveryHelper(new DatabaseRecovery(database));
        return MetaqRecovery.register(broker);
    }
}
