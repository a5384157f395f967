package io.metaq.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class NetworkThreadsTest {

    @Test
    void shouldLiveUntilTheLastSharerLetsGo() throws Exception {
        NetworkThreads first = NetworkThreads.shared();
        NetworkThreads second = NetworkThreads.shared();
        var loop = first.next();
        first.release();
        first.release();
        assertThat(loop.isShuttingDown()).isFalse();
        assertThat(second.next().submit(second::isOne).get(30, TimeUnit.SECONDS))
                .isTrue();
        second.release();
        assertThat(loop.isTerminated()).isTrue();
    }

    @Test
    void shouldBeginAnewAfterTheLast() throws Exception {
        NetworkThreads before = NetworkThreads.shared();
        before.release();
        NetworkThreads after = NetworkThreads.shared();
        assertThat(after.next().submit(() -> 1).get(30, TimeUnit.SECONDS)).isOne();
        after.release();
    }

    @Test
    void shouldHaveDoneWhatWasGivenToThemBeforeTheRelease() {
        NetworkThreads ours = NetworkThreads.shared();
        NetworkThreads others = NetworkThreads.shared();
        var done = new AtomicBoolean();
        ours.next().execute(() -> done.set(true));
        ours.release();
        assertThat(done).isTrue();
        others.release();
    }

    @Test
    void shouldBeSomebodysOwnUnlessShared() {
        NetworkThreads own = NetworkThreads.own(1);
        NetworkThreads other = NetworkThreads.own(1);
        var loop = own.next();
        assertThat(other.next()).isNotSameAs(loop);
        own.release();
        assertThat(loop.isTerminated()).isTrue();
        other.release();
    }
}
