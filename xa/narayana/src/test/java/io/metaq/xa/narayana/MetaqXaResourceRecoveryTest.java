package io.metaq.xa.narayana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.recovery.XAResourceRecovery;
import io.metaq.jms.recovery.ReconnectingXaResource;
import io.metaq.jms.uri.ConnectionUri;
import java.util.List;
import java.util.NoSuchElementException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;

class MetaqXaResourceRecoveryTest {

    private final MetaqXaResourceRecovery recovery = new MetaqXaResourceRecovery();

    private static XAResource of(String uri) {
        return ReconnectingXaResource.of(ConnectionUri.parse(uri));
    }

    @Test
    void shouldGiveEveryBrokerOnceInEachPass() {
        assertThat(recovery.initialise(" metaq://a:1,b:2?user=me&password=x\n")).isTrue();

        for (int pass = 0; pass < 3; pass++) {
            assertThat(recovery.hasMoreResources()).isTrue();
            assertThat(recovery.getXAResource()).isEqualTo(of("metaq://a:1?user=me"));
            assertThat(recovery.hasMoreResources()).isTrue();
            assertThat(recovery.getXAResource()).isEqualTo(of("metaq://b:2?user=me"));
            assertThat(recovery.hasMoreResources()).isFalse();
        }
    }

    @Test
    void shouldGiveNothingBeyondTheLast() {
        recovery.initialise("metaq://a:1");
        recovery.getXAResource();

        assertThatThrownBy(recovery::getXAResource).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void shouldRefuseWhatIsNoUri() {
        assertThat(recovery.initialise("tcp://a:1")).isFalse();
        assertThat(recovery.hasMoreResources()).isFalse();
    }

    @Test
    void shouldBeMadeByNarayanaFromAProperty() {
        JTAEnvironmentBean configuration = new JTAEnvironmentBean();
        configuration.setXaResourceRecoveryClassNames(
                List.of(MetaqXaResourceRecovery.class.getName() + ";metaq://a:1?user=me&password=x"));

        XAResourceRecovery made = configuration.getXaResourceRecoveries().get(0);

        assertThat(made).isInstanceOf(MetaqXaResourceRecovery.class);
        assertThat(((MetaqXaResourceRecovery) made).getXAResource()).isEqualTo(of("metaq://a:1?user=me"));
    }
}
