package io.metaq.broker.command;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.stats.StatsReport;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import java.io.IOException;

/** {@code stats}. */
final class StatsHandler implements CommandHandler {
    private final BrokerConfig config;
    private final StatsReport report;

    StatsHandler(BrokerConfig config, StatsReport report) {
        this.config = config;
        this.report = report;
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Stats stats = (Request.Stats) request;
        if ("config".equals(stats.item())) {
            session.reply(Status.OK, config.source(), stats.opaque());
            return;
        }
        try {
            session.reply(Status.OK, report.of(stats.item()), stats.opaque());
        } catch (IOException e) {
            session.reply(Status.FAILED, "the figures cannot be read: " + e.getMessage(), stats.opaque());
        }
    }
}
