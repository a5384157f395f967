package io.metaq.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.net.LinkSettings.Credentials;
import io.metaq.client.net.Transport.Purpose;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SharedTransportTest {

    private static LinkSettings of(String user) {
        return new LinkSettings(100, 100, 100, 1000, true, "test", new Credentials(user, "secret"), null);
    }

    @Test
    void shouldShareLinksAmongUsersOfEqualSettingsOnly() {
        Transport first = Transport.shared(of("ann"));
        Transport second = Transport.shared(of("ann"));
        Transport other = Transport.shared(of("bob"));
        Link link = first.link("127.0.0.1", 1, Purpose.PRODUCE);
        assertThat(second.link("127.0.0.1", 1, Purpose.PRODUCE)).isSameAs(link);
        assertThat(other.link("127.0.0.1", 1, Purpose.PRODUCE)).isNotSameAs(link);
        first.close();
        second.close();
        other.close();
    }

    @Test
    void shouldStayOpenUntilTheLastUserCloses() throws Exception {
        Transport first = Transport.shared(of("ann"));
        Transport second = Transport.shared(of("ann"));
        var loop = second.anyLoop();
        first.close();
        assertThat(loop.submit(second::onNetworkThread).get(30, TimeUnit.SECONDS))
                .isTrue();
        second.close();
        assertThat(loop.isTerminated()).isTrue();
        Transport third = Transport.shared(of("ann"));
        assertThat(third).isNotSameAs(second);
        third.close();
    }
}
