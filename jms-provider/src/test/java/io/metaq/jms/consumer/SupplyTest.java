package io.metaq.jms.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SupplyTest {

    @Test
    void shouldBeThePrefetchWhileNothingFails() {
        Supply supply = new Supply(1000);
        for (int i = 0; i < 5000; i++) {
            assertThat(supply.size()).isEqualTo(1000);
            supply.taken();
        }
    }

    @Test
    void shouldBeSmallAfterAFailureAndDoubleWithWhatGoesWell() {
        Supply supply = new Supply(1000);
        supply.rewound();
        assertThat(supply.size()).isEqualTo(2);
        int[] expected = {2, 4, 8, 16};
        for (int size : expected) {
            assertThat(supply.size()).isEqualTo(size);
            for (int i = 0; i < size; i++) {
                supply.taken();
            }
        }
        for (int i = 0; i < 2000; i++) {
            supply.taken();
        }
        assertThat(supply.size()).isEqualTo(1000);
    }

    @Test
    void shouldNeverExceedThePrefetch() {
        Supply supply = new Supply(1);
        supply.rewound();
        supply.taken();
        assertThat(supply.size()).isEqualTo(1);
    }
}
