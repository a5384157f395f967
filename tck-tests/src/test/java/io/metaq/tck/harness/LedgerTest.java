package io.metaq.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger ledger = new Ledger();

    @Test
    void shouldFindNothingWhenAllCameBackInOrder() {
        promise(0, 0);
        promise(1, 100);
        ledger.attempted("p", 2);
        assertThat(ledger.faults(List.of(stored(0, 0), stored(1, 100), stored(2, 200))))
                .isEmpty();
        assertThat(ledger.faults(List.of(stored(0, 0), stored(1, 100)))).isEmpty();
    }

    @Test
    void shouldFindWhatIsLostDuplicatedInventedMisplacedAndOutOfOrder() {
        promise(0, 0);
        promise(1, 100);
        assertFault("lost", stored(0, 0));
        assertFault("duplicated", stored(0, 0), stored(1, 100), stored(1, 200));
        assertFault("invented", stored(0, 0), stored(1, 100), stored(7, 200));
        assertFault("misplaced", stored(0, 0), stored(1, 120));
        assertFault("out of order", stored(1, 100), stored(0, 0));
    }

    private void promise(long number, long offset) {
        ledger.attempted("p", number);
        ledger.acknowledged("p", number, 0, offset);
    }

    private void assertFault(String kind, StoredMessage... received) {
        assertThat(ledger.faults(List.of(received))).anyMatch(fault -> fault.startsWith(kind + ":"));
    }

    private static StoredMessage stored(long number, long offset) {
        return new StoredMessage(0, offset, 1, 0, Ledger.body("p", number, 40));
    }
}
