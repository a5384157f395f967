package io.metaq.jms.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.uri.ConnectionUri;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

class ReconnectingXaResourceTest {

    /** Nothing listens there: the port cannot be bound by others than the superuser, and is not assigned. */
    private static final String NOBODY = "127.0.0.1:1";

    private record Branch(int getFormatId, byte[] getGlobalTransactionId, byte[] getBranchQualifier) implements Xid {}

    private static final Xid XID = new Branch(1, new byte[] {1}, new byte[] {2});

    private static ReconnectingXaResource of(String uri) {
        return ReconnectingXaResource.of(ConnectionUri.parse(uri));
    }

    private static byte[] serialized(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    @Test
    void shouldComeBackFromALogWithoutPasswords() throws Exception {
        ReconnectingXaResource resource =
                of("metaq://" + NOBODY + "?user=me&password=hush-hush&clientId=shop&keyStorePassword=hush-too");

        byte[] logged = serialized(resource);

        assertThat(new String(logged, StandardCharsets.ISO_8859_1))
                .contains(NOBODY, "user=me")
                .doesNotContain("hush", "shop");
        assertThat(read(logged)).isEqualTo(resource);
    }

    @Test
    void shouldUseThePasswordThatTheProcessWasGiven() {
        of("metaq://" + NOBODY + "?user=clerk&password=first&prefetch=7");
        of("metaq://" + NOBODY + "?user=clerk&password=second");

        assertThat(Secrets.added(ConnectionUri.parse("metaq://" + NOBODY + "?user=clerk")))
                .isEqualTo(ConnectionUri.parse("metaq://" + NOBODY + "?user=clerk&password=second"));
        assertThat(Secrets.added(ConnectionUri.parse("metaq://" + NOBODY + "?user=other")))
                .isEqualTo(ConnectionUri.parse("metaq://" + NOBODY + "?user=other"));
    }

    @Test
    void shouldSayThatNothingIsKnownWhileTheBrokerIsAway() {
        ReconnectingXaResource resource =
                of("metaq://" + NOBODY + "," + NOBODY + "?connectTimeout=200&requestTimeout=200");

        for (Call call : new Call[] {
            () -> resource.commit(XID, false),
            () -> resource.rollback(XID),
            () -> resource.forget(XID),
            () -> resource.recover(XAResource.TMSTARTRSCAN)
        }) {
            assertThatThrownBy(call::make)
                    .isInstanceOfSatisfying(
                            XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMFAIL));
        }
        assertThat(RecoveryLink.open()).isZero();
    }

    private interface Call {
        void make() throws XAException;
    }

    @Test
    void shouldAskNobodyAtTheEndOfAScan() throws XAException {
        ReconnectingXaResource resource = of("metaq://" + NOBODY);

        assertThat(resource.recover(XAResource.TMENDRSCAN)).isEmpty();
        assertThat(resource.recover(XAResource.TMNOFLAGS)).isEmpty();
        assertThatThrownBy(() -> resource.recover(XAResource.TMJOIN))
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_INVAL));
    }

    @Test
    void shouldTakeNoWork() {
        ReconnectingXaResource resource = of("metaq://" + NOBODY);

        assertThatThrownBy(() -> resource.start(XID, XAResource.TMNOFLAGS)).isInstanceOf(XAException.class);
        assertThatThrownBy(() -> resource.end(XID, XAResource.TMSUCCESS)).isInstanceOf(XAException.class);
        assertThatThrownBy(() -> resource.prepare(XID)).isInstanceOf(XAException.class);
        assertThat(resource.setTransactionTimeout(5)).isFalse();
        assertThat(resource.isSameRM(of("metaq://" + NOBODY))).isTrue();
        assertThat(resource.isSameRM(of("metaq://127.0.0.1:2"))).isFalse();
    }

    @Test
    void shouldBeOneForEachBroker() {
        assertThat(ReconnectingXaResource.forEachBroker(ConnectionUri.parse("metaq://a:1,b:2?prefetch=3")))
                .containsExactly(of("metaq://a:1?prefetch=3"), of("metaq://b:2?prefetch=3"));
        assertThat(ReconnectingXaResource.forEachBroker(ConnectionUri.parse("metaq://a:1,b:2?lookup=zookeeper")))
                .hasSize(1);
    }
}
