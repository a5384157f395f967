package io.metaq.broker.command;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.group.GroupCoordinator;
import io.metaq.broker.net.Dispatcher;
import io.metaq.broker.security.Logins;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.broker.stats.StatsReport;
import io.metaq.broker.store.Store;
import io.metaq.broker.subscription.Attachments;
import io.metaq.broker.subscription.ClientIds;
import io.metaq.broker.subscription.Dispatches;
import io.metaq.broker.subscription.TemporaryDestinations;
import io.metaq.broker.transaction.TransactionLimits;
import io.metaq.broker.transaction.Transactions;
import io.metaq.protocol.Verb;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/** The handlers of all commands, tied to the parts of a broker that they work on. */
public final class Handlers {
    private static final Set<Verb> BEFORE_LOGIN = EnumSet.of(Verb.VERSION, Verb.LOGIN, Verb.QUIT);

    private Handlers() {}

    /** What the handlers work on. */
    public record Parts(
            BrokerConfig config,
            Supplier<String> serverUrl,
            String version,
            Store store,
            TopicCatalog topics,
            DiskGuard disk,
            BrokerCounters counters,
            GroupCoordinator coordinator,
            StatsReport stats,
            Logins logins,
            Dispatches dispatches,
            TemporaryDestinations temporary,
            Transactions transactions,
            TopicDirectory directory,
            Clock clock) {}

    /** Puts every command into {@code dispatcher}. */
    public static void install(Dispatcher dispatcher, Parts parts) {
        HandlerContext context = new HandlerContext(
                parts.config(),
                parts.store(),
                parts.topics(),
                parts.disk(),
                parts.counters(),
                new ErrorTexts(parts.serverUrl(), parts.config().brokerId()),
                parts.clock());
        Transactions transactions = parts.transactions();
        TransactionLimits limits = new TransactionLimits(parts.config().maxTxTimeoutInSeconds());
        ProduceHandler produce = new ProduceHandler(context, new TransactionalPut(context, transactions));
        Attachments attachments = new Attachments(parts.dispatches(), parts.temporary());
        ConsumerHandler consumers = new ConsumerHandler(attachments);
        FetchHandler fetch = new FetchHandler(context);
        ConnectionHandler connection = new ConnectionHandler(
                parts.config(), parts.version(), parts.store().resourceManager());
        MembershipCommands membership =
                new MembershipCommands(parts.coordinator(), parts.config().maxGetWait());
        if (!parts.config().allowAnonymous()) {
            dispatcher.requireLoginExceptFor(BEFORE_LOGIN);
        }
        dispatcher
                .on(Verb.PUT, produce)
                .on(Verb.APPEND, produce)
                .on(Verb.SYNC, produce)
                .on(Verb.GET, fetch)
                .on(Verb.OFFSET, fetch)
                .on(Verb.VERSION, connection)
                .on(Verb.QUIT, connection)
                .on(Verb.LOGIN, new LoginHandler(parts.logins()))
                .on(Verb.STATS, new StatsHandler(parts.config(), parts.stats()))
                .on(Verb.TRANSACTION, new TransactionHandler(transactions, limits))
                .on(Verb.TX, new TxAdminHandler(context, transactions))
                .on(Verb.ENLIST, new EnlistHandler(context, transactions, limits))
                .on(Verb.CLIENT, new ClientIdHandler(new ClientIds()))
                .on(Verb.ATTACH, consumers)
                .on(Verb.CREDIT, consumers)
                .on(Verb.DRAIN, consumers)
                .on(Verb.ACK, consumers)
                .on(Verb.REJECT, consumers)
                .on(Verb.RELEASE, consumers)
                .on(Verb.DETACH, consumers)
                .on(Verb.TRANSACT, new TransactHandler(context))
                .on(Verb.SUBSCRIPTION, new SubscriptionAdminHandler(context, parts.dispatches(), attachments))
                .on(Verb.TOPIC, new TopicHandler(context, parts.temporary(), attachments, parts.directory()))
                .on(Verb.GROUP, new GroupHandler(context, parts.coordinator(), membership));
    }
}
