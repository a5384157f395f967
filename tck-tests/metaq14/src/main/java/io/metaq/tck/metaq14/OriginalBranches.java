package io.metaq.tck.metaq14;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.XAMetaMessageSessionFactory;
import com.taobao.metamorphosis.client.producer.SendResult;
import com.taobao.metamorphosis.client.producer.XAMessageProducer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** The global transactions of an original client, by numbers that stand for their Xids. */
final class OriginalBranches {
    /** The same in every process, so that one recovers what another prepared. */
    private static final String QUALIFIER = "interop";

    private final XAMessageProducer producer;

    /** Good for one transaction: the original's producer forgets it when that ends. */
    private XAResource resource;

    OriginalBranches(XAMetaMessageSessionFactory factory, String topic) throws Exception {
        producer = factory.createXAProducer();
        producer.setUniqueQualifier(QUALIFIER);
        producer.publish(topic);
        resource = producer.getXAResource();
    }

    private static final class NumberedXid implements Xid {
        private final byte number;

        NumberedXid(int number) {
            this.number = (byte) number;
        }

        @Override
        public int getFormatId() {
            return 100;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1, number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {2};
        }
    }

    /** @return nothing, what prepare voted, the numbers that recover found, or {@code failed CODE} */
    List<Object> step(String step, int number) throws Exception {
        Xid xid = new NumberedXid(number);
        try {
            switch (step) {
                case "start" -> {
                    resource = producer.getXAResource();
                    resource.start(xid, XAResource.TMNOFLAGS);
                }
                case "end" -> resource.end(xid, XAResource.TMSUCCESS);
                case "prepare" -> {
                    return List.of(resource.prepare(xid));
                }
                case "commit" -> resource.commit(xid, false);
                case "commit-one-phase" -> resource.commit(xid, true);
                case "rollback" -> resource.rollback(xid);
                case "forget" -> resource.forget(xid);
                case "recover" -> {
                    List<Object> numbers = new ArrayList<>();
                    Arrays.stream(resource.recover(XAResource.TMSTARTRSCAN))
                            .forEach(found -> numbers.add(found.getGlobalTransactionId()[1]));
                    return numbers;
                }
                default -> throw new IllegalArgumentException("no such step: " + step);
            }
            return List.of();
        } catch (XAException e) {
            return List.of("failed", e.errorCode);
        }
    }

    SendResult send(Message message) throws Exception {
        return producer.sendMessage(message);
    }
}
