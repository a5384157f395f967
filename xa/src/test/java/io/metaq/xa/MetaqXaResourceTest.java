package io.metaq.xa;

import static javax.transaction.xa.XAException.XAER_DUPID;
import static javax.transaction.xa.XAException.XAER_INVAL;
import static javax.transaction.xa.XAException.XAER_NOTA;
import static javax.transaction.xa.XAException.XAER_PROTO;
import static javax.transaction.xa.XAException.XAER_RMFAIL;
import static javax.transaction.xa.XAException.XA_HEURCOM;
import static javax.transaction.xa.XAException.XA_RBINTEGRITY;
import static javax.transaction.xa.XAException.XA_RBROLLBACK;
import static javax.transaction.xa.XAResource.TMENDRSCAN;
import static javax.transaction.xa.XAResource.TMFAIL;
import static javax.transaction.xa.XAResource.TMJOIN;
import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMRESUME;
import static javax.transaction.xa.XAResource.TMSTARTRSCAN;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static javax.transaction.xa.XAResource.TMSUSPEND;
import static javax.transaction.xa.XAResource.XA_OK;
import static javax.transaction.xa.XAResource.XA_RDONLY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The state table of X/Open, cell by cell where the cells differ. */
class MetaqXaResourceTest {

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final MemoryManager broker = new MemoryManager("rm-" + NUMBERS.incrementAndGet());
    private final MemorySession session = new MemorySession(broker);
    private final MetaqXaResource resource = new MetaqXaResource(session, false);
    private final MemorySession otherSession = new MemorySession(broker);
    private final MetaqXaResource other = new MetaqXaResource(otherSession, false);
    private final Xid xid = xid();

    @AfterEach
    void shouldLeaveNoBranchBehind() {
        assertThat(Branches.open()).isZero();
    }

    // ---- the ways that succeed

    @Test
    void shouldCommitInTwoPhases() throws Exception {
        work(xid);
        assertThat(resource.prepare(xid)).isEqualTo(XA_OK);
        assertThat(session.outcomes).isEmpty();
        resource.commit(xid, false);

        assertThat(broker.asked).containsExactly("enlist PREPARE", "COMMIT");
        assertThat(session.outcomes).containsExactly("committed");
    }

    @Test
    void shouldCommitInOnePhaseByOneRequest() throws Exception {
        work(xid);
        resource.commit(xid, true);

        assertThat(broker.asked).containsExactly("enlist COMMIT");
        assertThat(session.outcomes).containsExactly("committed");
    }

    @Test
    void shouldAskNobodyForABranchWithoutWork() throws Exception {
        resource.start(xid, TMNOFLAGS);
        resource.end(xid, TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XA_RDONLY);

        assertThat(broker.asked).isEmpty();
        expect(XAER_NOTA, () -> resource.end(xid, TMSUCCESS));
    }

    @Test
    void shouldRollBackHereWhatTheBrokerNeverHad() throws Exception {
        work(xid);
        resource.rollback(xid);

        assertThat(broker.asked).isEmpty();
        assertThat(session.outcomes).containsExactly("rolled back here");
    }

    @Test
    void shouldRollBackAPreparedBranchAtTheBroker() throws Exception {
        work(xid);
        resource.prepare(xid);
        resource.rollback(xid);

        assertThat(broker.asked).containsExactly("enlist PREPARE", "ROLLBACK");
        assertThat(session.outcomes).containsExactly("rolled back by the broker");
    }

    @Test
    void shouldJoinTheWorkOfTwoSessions() throws Exception {
        work(xid);
        other.start(xid, TMJOIN);
        otherSession.send();
        other.end(xid, TMSUCCESS);
        resource.prepare(xid);
        other.commit(xid, false);

        assertThat(broker.asked).containsExactly("enlist NOTHING", "enlist PREPARE", "COMMIT");
        assertThat(session.outcomes).containsExactly("committed");
        assertThat(otherSession.outcomes).containsExactly("committed");
    }

    @Test
    void shouldInterleaveBranches() throws Exception {
        Xid second = xid();
        resource.start(xid, TMNOFLAGS);
        session.send();
        resource.end(xid, TMSUSPEND);
        assertThat(session.current).isNull();
        work(second);
        resource.start(xid, TMRESUME);
        session.send();
        resource.end(xid, TMSUCCESS);
        resource.commit(second, true);
        resource.rollback(xid);

        assertThat(session.outcomes).containsExactly("committed", "rolled back here");
    }

    @Test
    void shouldEndASuspendedAssociation() throws Exception {
        resource.start(xid, TMNOFLAGS);
        session.send();
        resource.end(xid, TMSUSPEND);
        resource.end(xid, TMSUCCESS);
        resource.commit(xid, true);
        assertThat(session.outcomes).containsExactly("committed");
    }

    @Test
    void shouldRecoverWhatOthersPrepared() throws Exception {
        broker.prepared.put(XidKey.of(xid).text(), true);
        broker.prepared.put("XID:1:aa:bb:somebody-else", true);

        assertThat(resource.recover(TMSTARTRSCAN)).containsExactly(XidKey.of(xid));
        assertThat(resource.recover(TMENDRSCAN)).isEmpty();
        assertThat(resource.recover(TMSTARTRSCAN | TMENDRSCAN)).hasSize(1);
        resource.commit(xid, false);
        expect(XAER_NOTA, () -> resource.rollback(xid));
    }

    @Test
    void shouldSendAheadAndGoOn() throws Exception {
        resource.start(xid, TMNOFLAGS);
        session.send();
        session.current.branch.sendAhead(session.current);
        resource.end(xid, TMSUCCESS);
        resource.prepare(xid);
        resource.commit(xid, false);

        assertThat(broker.asked).containsExactly("enlist NOTHING", "enlist PREPARE empty", "COMMIT");
    }

    // ---- what is refused

    @Test
    void shouldRefuseFlagsThatAreNone() {
        expect(XAER_INVAL, () -> resource.start(xid, TMSUCCESS));
        expect(XAER_INVAL, () -> resource.end(xid, TMJOIN));
        expect(XAER_INVAL, () -> resource.recover(TMJOIN));
        expect(XAER_INVAL, () -> resource.start(null, TMNOFLAGS));
        expect(XAER_INVAL, () -> resource.setTransactionTimeout(-1));
    }

    @Test
    void shouldRefuseABranchThatThereIsAlready() throws Exception {
        work(xid);
        expect(XAER_DUPID, () -> resource.start(xid, TMNOFLAGS));
        expect(XAER_DUPID, () -> other.start(xid, TMNOFLAGS));
        resource.rollback(xid);
    }

    @Test
    void shouldRefuseWhatIsNotThere() {
        expect(XAER_NOTA, () -> resource.start(xid, TMJOIN));
        expect(XAER_NOTA, () -> resource.start(xid, TMRESUME));
        expect(XAER_NOTA, () -> resource.end(xid, TMSUCCESS));
        expect(XAER_NOTA, () -> resource.prepare(xid));
        expect(XAER_NOTA, () -> resource.commit(xid, true));
        expect(XAER_NOTA, () -> resource.commit(xid, false));
        expect(XAER_NOTA, () -> resource.rollback(xid));
        expect(XAER_NOTA, () -> resource.forget(xid));
    }

    @Test
    void shouldRefuseASecondActiveBranch() throws Exception {
        resource.start(xid, TMNOFLAGS);
        Xid second = xid();
        expect(XAER_PROTO, () -> resource.start(second, TMNOFLAGS));
        expect(XAER_PROTO, () -> resource.start(xid, TMRESUME));
        resource.end(xid, TMSUCCESS);
        resource.rollback(xid);
    }

    @Test
    void shouldRefuseToCompleteWhileSomebodyWorks() throws Exception {
        work(xid);
        other.start(xid, TMJOIN);
        expect(XAER_PROTO, () -> resource.prepare(xid));
        expect(XAER_PROTO, () -> resource.commit(xid, true));
        expect(XAER_PROTO, () -> resource.rollback(xid));
        other.end(xid, TMSUSPEND);
        expect(XAER_PROTO, () -> resource.prepare(xid));
        other.end(xid, TMSUCCESS);
        resource.rollback(xid);
    }

    @Test
    void shouldRefuseAnEndByWhoIsNotInTheBranch() throws Exception {
        resource.start(xid, TMNOFLAGS);
        expect(XAER_PROTO, () -> other.end(xid, TMSUCCESS));
        resource.end(xid, TMSUSPEND);
        expect(XAER_PROTO, () -> resource.end(xid, TMSUSPEND));
        expect(XAER_PROTO, () -> other.start(xid, TMRESUME));
        resource.end(xid, TMSUCCESS);
        expect(XAER_PROTO, () -> resource.end(xid, TMSUCCESS));
        resource.rollback(xid);
    }

    @Test
    void shouldHoldToThePhases() throws Exception {
        work(xid);
        expect(XAER_PROTO, () -> resource.commit(xid, false));
        resource.prepare(xid);
        expect(XAER_PROTO, () -> resource.prepare(xid));
        expect(XAER_PROTO, () -> resource.commit(xid, true));
        expect(XAER_PROTO, () -> resource.start(xid, TMJOIN));
        resource.commit(xid, false);
    }

    @Test
    void shouldOnlyRollBackWhatFailed() throws Exception {
        resource.start(xid, TMNOFLAGS);
        session.send();
        resource.end(xid, TMFAIL);
        expect(XA_RBROLLBACK, () -> other.start(xid, TMJOIN));
        expect(XA_RBROLLBACK, () -> resource.prepare(xid));
        assertThat(session.outcomes).containsExactly("rolled back here");
        expect(XAER_NOTA, () -> resource.rollback(xid));
    }

    @Test
    void shouldOnlyRollBackWhatLostItsConnection() throws Exception {
        resource.start(xid, TMNOFLAGS);
        session.send();
        session.current.branch.lost();
        resource.end(xid, TMSUCCESS);
        expect(XA_RBROLLBACK, () -> resource.commit(xid, true));
    }

    // ---- what the broker answers

    @Test
    void shouldSayThatItIsRolledBackWhenTheBrokerRefusesToPrepare() throws Exception {
        work(xid);
        broker.failNext = XA_RBINTEGRITY;
        expect(XA_RBINTEGRITY, () -> resource.prepare(xid));
        assertThat(session.outcomes).containsExactly("rolled back here");
    }

    @Test
    void shouldNotSayThatItIsRolledBackWhenNoAnswerCameToPrepare() throws Exception {
        work(xid);
        broker.failNext = XAER_RMFAIL;
        broker.afterwards = true;
        expect(XAER_RMFAIL, () -> resource.prepare(xid));
        resource.rollback(xid);

        assertThat(broker.prepared).isEmpty();
        assertThat(session.outcomes).containsExactly("rolled back by the broker");
    }

    @Test
    void shouldStayInDoubtWhenNoAnswerCameToACommitInOnePhase() throws Exception {
        work(xid);
        broker.failNext = XAER_RMFAIL;
        broker.afterwards = true;
        expect(XAER_RMFAIL, () -> resource.commit(xid, true));
        expect(XAER_RMFAIL, () -> resource.commit(xid, true));
        expect(XAER_RMFAIL, () -> resource.prepare(xid));
        // The broker does not know it any more: it is committed, or never was there. Not for us to say "rolled back".
        expect(XAER_NOTA, () -> resource.rollback(xid));
        assertThat(session.outcomes).containsExactly("committed");
    }

    @Test
    void shouldLetACommitBeRepeatedUntilTheBrokerAnswers() throws Exception {
        work(xid);
        resource.prepare(xid);
        broker.failNext = XAER_RMFAIL;
        expect(XAER_RMFAIL, () -> resource.commit(xid, false));
        assertThat(session.outcomes).isEmpty();
        resource.commit(xid, false);
        assertThat(session.outcomes).containsExactly("committed");
    }

    @Test
    void shouldPassOnWhatAnOperatorDecided() throws Exception {
        work(xid);
        resource.prepare(xid);
        broker.failNext = XA_HEURCOM;
        expect(XA_HEURCOM, () -> resource.commit(xid, false));
        resource.forget(xid);
        assertThat(broker.asked).containsExactly("enlist PREPARE", "COMMIT", "FORGET");
    }

    // ---- identity

    @Test
    void shouldBeTheSameForAllConnectionsToABroker() throws Exception {
        MetaqXaResource elsewhere = new MetaqXaResource(new MemorySession(new MemoryManager("elsewhere")), false);
        assertThat(resource.isSameRM(other)).isTrue();
        assertThat(resource.isSameRM(elsewhere)).isFalse();
        assertThat(resource.isSameRM(null)).isFalse();
        assertThat(new MetaqXaResource(session, true).isSameRM(other)).isFalse();
        assertThat(resource.isSameRM(new MetaqXaResource(session, true))).isFalse();
    }

    @Test
    void shouldTakeXidsOfAnyCoordinator() throws Exception {
        byte[] longest = new byte[64];
        java.util.Arrays.fill(longest, (byte) 0xff);
        for (int format : new int[] {131077, 1463898948, 4871251, -1, 0, Integer.MIN_VALUE}) {
            Xid foreign = new ForeignXid(format, longest, longest);
            XidKey key = XidKey.of(foreign);
            assertThat(XidKey.parse(key.text())).contains(key);
            assertThat(key.getFormatId()).isEqualTo(format);
        }
        assertThat(XidKey.parse(
                        XidKey.of(new ForeignXid(1, new byte[0], new byte[0])).text()))
                .isPresent();
        expect(XAER_INVAL, () -> XidKey.of(new ForeignXid(1, new byte[65], new byte[0])));
        assertThat(XidKey.parse("TX:session:1")).isEmpty();
        assertThat(XidKey.parse("XID:x:aa:bb:metaq")).isEmpty();
        assertThat(XidKey.parse("XID:1:a:bb:metaq")).isEmpty();
    }

    private void work(Xid branch) throws XAException {
        resource.start(branch, TMNOFLAGS);
        session.send();
        resource.end(branch, TMSUCCESS);
    }

    private static void expect(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(XAException.class)
                .extracting(failure -> ((XAException) failure).errorCode)
                .isEqualTo(code);
    }

    private static Xid xid() {
        return new ForeignXid(131077, new byte[] {1, 2, (byte) NUMBERS.incrementAndGet()}, new byte[] {3});
    }

    /** As a coordinator's own class. */
    private record ForeignXid(int format, byte[] global, byte[] branch) implements Xid {

        @Override
        public int getFormatId() {
            return format;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return global;
        }

        @Override
        public byte[] getBranchQualifier() {
            return branch;
        }
    }
}
