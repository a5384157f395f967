package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Job;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.ByteBuffer;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A session of XA, and a coordinator that only goes through the phases. */
final class XaSender implements TransactedSender {

    /** A branch of its own global transaction; unique among those of one run. */
    private record Branch(long run, int thread, long number) implements Xid {
        private static final int FORMAT = 20261130;

        @Override
        public int getFormatId() {
            return FORMAT;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ByteBuffer.allocate(20)
                    .putLong(run)
                    .putInt(thread)
                    .putLong(number)
                    .array();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    private final long run = System.nanoTime();
    private final XAConnection connection;
    private final XASession session;
    private final XAResource resource;
    private final MessageProducer producer;
    private final int thread;
    private long branches;
    private Branch branch;

    XaSender(XAConnection connection, Job job, int thread) throws JMSException {
        this.connection = connection;
        this.session = connection.createXASession();
        this.resource = session.getXAResource();
        this.producer = session.createProducer(session.createQueue(job.topic()));
        this.thread = thread;
        this.branch = new Branch(run, thread, branches);
    }

    @Override
    public void begin() throws XAException {
        branch = new Branch(run, thread, ++branches);
        resource.start(branch, XAResource.TMNOFLAGS);
    }

    @Override
    public void send(byte[] body) throws JMSException {
        producer.send(JmsSender.message(session, body));
    }

    @Override
    public void commit() throws XAException {
        resource.end(branch, XAResource.TMSUCCESS);
        int vote = resource.prepare(branch);
        if (vote != XAResource.XA_OK) {
            throw new XAException("prepare gave " + vote);
        }
        resource.commit(branch, false);
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
