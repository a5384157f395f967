package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Body;
import io.metaq.benchmarks.driver.Driver;
import io.metaq.benchmarks.driver.Job;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.HashMap;
import java.util.Map;

/**
 * Sends {@code count} persistent messages, which is not measured, then receives them all. Receiving empties a queue, so every
 * run has to fill it again; in transactions ({@code fill=transacted}), where that is much the fastest way of a provider.
 */
final class BacklogLoad {

    private static final int PER_TRANSACTION = 500;

    Map<String, Object> run(JmsPeer peer, Job job) throws Exception {
        Map<String, String> settings = new HashMap<>(job.settings());
        if (job.text("fill", "async").equals("transacted")) {
            fill(peer, job);
        } else {
            settings.put("workload", "fill");
            Driver.run(peer, new Job(settings));
        }
        settings.put("workload", "drain");
        return Driver.run(peer, new Job(settings));
    }

    private static void fill(JmsPeer peer, Job job) throws JMSException {
        Connection connection = peer.connect();
        try {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(job.topic()));
            long count = job.number("count", 100_000);
            for (long i = 0; i < count; i++) {
                producer.send(JmsSender.message(session, Body.of(0, i, System.nanoTime(), job.bodyBytes())));
                if (i % PER_TRANSACTION == PER_TRANSACTION - 1 || i == count - 1) {
                    session.commit();
                }
            }
        } finally {
            peer.disconnect(connection);
        }
    }
}
