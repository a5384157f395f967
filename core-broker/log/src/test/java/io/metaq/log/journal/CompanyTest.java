package io.metaq.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CompanyTest {

    private final ProposalQueue queue = new ProposalQueue(1 << 20);

    @Test
    void shouldCountWhoWaitsInTheQueue() {
        assertThat(queue.holds(1)).isFalse();
        queue.offer(new TestProposal(1, Durability.DISK));
        queue.offer(new TestProposal(1, Durability.DISK));

        assertThat(queue.holds(2)).isTrue();
        assertThat(queue.holds(3)).isFalse();
    }

    @Test
    void shouldNotWaitForWhoStaysAwayForLong() {
        Company company = new Company();
        company.written(64, TimeUnit.HOURS.toNanos(1));
        queue.offer(new TestProposal(1, Durability.DISK));

        company.await(queue);

        assertThat(queue.takeAll()).as("left for the writer to take").isNotNull();
    }
}
