package io.metaq.tck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.chaos.Account.Certainty;
import org.junit.jupiter.api.Test;

/** The judge is judged first: each breach must be seen, and what is allowed must not be called one. */
class AccountTest {
    private static final Label FIRST = new Label(1, 0);
    private static final Label SECOND = new Label(1, 1);

    private final Faults faults = new Faults();
    private final Account account = new Account("queue", true, faults);

    private void send(Label... labels) {
        for (Label label : labels) {
            account.attempt(label, Sending.Manner.plain(0));
            account.promised(label);
        }
    }

    private void show(Label label, int count) {
        account.shown(new Showing(label, count > 1, count, 0), this);
    }

    @Test
    void shouldFindNothingWrongWithWhatIsAllowed() {
        send(FIRST, SECOND);
        show(FIRST, 1);
        account.returned(FIRST, this);
        show(FIRST, 2);
        account.acknowledged(FIRST, Certainty.LIKELY, 0);
        show(SECOND, 1);
        account.acknowledged(SECOND, Certainty.SURE, 0);
        show(FIRST, 3);
        account.acknowledged(FIRST, Certainty.SURE, 1);
        assertThat(faults.list()).isEmpty();
        assertThat(account.owed()).isZero();
    }

    @Test
    void shouldSeeThatSomethingIsOwed() {
        send(FIRST, SECOND);
        show(SECOND, 1);
        account.acknowledged(SECOND, Certainty.SURE, 0);
        assertThat(account.owed()).isOne();
        assertThat(account.someOwed()).contains(FIRST.body());
    }

    @Test
    void shouldSeeAReturnAfterTheAcknowledgement() {
        send(FIRST);
        show(FIRST, 1);
        account.acknowledged(FIRST, Certainty.SURE, 0);
        show(FIRST, 2);
        assertThat(faults.list()).singleElement().asString().contains("after its acknowledgement");
    }

    @Test
    void shouldTakeAnOldAcknowledgementForSureWhileTheBrokerLives() {
        send(FIRST, SECOND);
        show(FIRST, 1);
        account.acknowledged(FIRST, Certainty.LIKELY, 4);
        account.sweep(System.currentTimeMillis() + 60_000, generation -> generation == 4);
        show(FIRST, 2);
        assertThat(faults.count()).isOne();
    }

    @Test
    void shouldNotTakeItForSureWhenTheBrokerDiedMeanwhile() {
        send(FIRST);
        show(FIRST, 1);
        account.acknowledged(FIRST, Certainty.LIKELY, 4);
        account.sweep(System.currentTimeMillis() + 60_000, generation -> generation == 5);
        show(FIRST, 2);
        assertThat(faults.count()).isZero();
    }

    @Test
    void shouldNotTakeForSureWhatNoBrokerCanHaveTaken() {
        send(FIRST);
        show(FIRST, 1);
        // Shown from a client's memory just after the broker was killed: this generation is over when the next broker
        // is there.
        account.acknowledged(FIRST, Certainty.LIKELY, 5);
        account.sweep(System.currentTimeMillis() + 60_000, generation -> false);
        show(FIRST, 2);
        assertThat(faults.count()).isZero();
    }

    @Test
    void shouldSeeASecondDeliveryWithoutMark() {
        send(FIRST);
        show(FIRST, 1);
        account.returned(FIRST, this);
        show(FIRST, 1);
        assertThat(faults.list()).singleElement().asString().contains("redelivered mark");
    }

    @Test
    void shouldSeeALostOrder() {
        send(FIRST, SECOND);
        show(SECOND, 1);
        show(FIRST, 1);
        assertThat(faults.list()).singleElement().asString().contains("out of order");
    }

    @Test
    void shouldSeeThatALaterMessageOvertookOneThatWasGivenBack() {
        send(FIRST, SECOND);
        show(FIRST, 1);
        account.returned(FIRST, this);
        show(SECOND, 1);
        assertThat(faults.list()).singleElement().asString().contains("given back");
    }

    @Test
    void shouldAllowThatOneWhoLostItsMessagesGivesThemBackLate() {
        send(FIRST, SECOND);
        account.shown(new Showing(FIRST, false, 1, 0), "a consumer of before the restart");
        show(FIRST, 2);
        account.returned(FIRST, "a consumer of before the restart");
        show(SECOND, 1);
        assertThat(faults.list()).isEmpty();
    }

    @Test
    void shouldSeeWhatWasRolledBackOrNeverSent() {
        account.attempt(FIRST, Sending.Manner.plain(0));
        account.rolledBack(FIRST);
        show(FIRST, 1);
        show(SECOND, 1);
        assertThat(faults.list()).hasSize(2);
        assertThat(faults.list().get(0)).contains("rolled back");
        assertThat(faults.list().get(1)).contains("never sent");
    }

    @Test
    void shouldSeeAConsumerThatWaitsWhileAMessageIsReady() {
        long now = System.currentTimeMillis();
        account.attached(this);
        assertThat(account.waitedInVainMs(now + 20_000, 0)).isZero();
        send(FIRST);
        assertThat(account.waitedInVainMs(now + 20_000, 0)).isBetween(15_000L, 20_000L);
        assertThat(account.waitedInVainMs(now + 20_000, now + 19_000)).isEqualTo(1_000);
        show(FIRST, 1);
        assertThat(account.waitedInVainMs(now + 20_000, 0)).isZero();
    }
}
