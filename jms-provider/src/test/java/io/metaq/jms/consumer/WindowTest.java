package io.metaq.jms.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowTest {

    @Test
    void shouldAskForSingleMessagesInAShortExchange() {
        Window window = new Window(1000, false);
        for (int i = 0; i < Window.PATIENCE; i++) {
            window.waited(1_000_000);
        }
        assertThat(window.size()).isEqualTo(1);
    }

    @Test
    void shouldDoubleUpToThePrefetchForWhoEmptiesItAgainAndAgain() {
        Window window = new Window(100, false);
        for (int i = 0; i < Window.PATIENCE + 3; i++) {
            window.waited(1_000_000);
        }
        assertThat(window.size()).isEqualTo(8);
        for (int i = 0; i < 10; i++) {
            window.waited(1_000_000);
        }
        assertThat(window.size()).isEqualTo(100);
    }

    @Test
    void shouldBeginAnewAfterAPause() {
        Window window = new Window(100, false);
        for (int i = 0; i < 50; i++) {
            window.waited(1_000_000);
        }
        window.fallBack();
        assertThat(window.size()).isEqualTo(1);
        window.waited(1_000_000);
        assertThat(window.size()).isEqualTo(1);
    }

    @Test
    void shouldTakeAMessageThatWasLongInComingForOneThatWasNotReady() {
        Window window = new Window(100, false);
        for (int i = 0; i < 50; i++) {
            window.waited(10_000_000);
        }
        assertThat(window.size()).isEqualTo(1);
    }

    @Test
    void shouldFallBackWhenTheBrokerHadNothingForAWhile() {
        Window window = new Window(100, false);
        for (int i = 0; i < 50; i++) {
            window.waited(1_000_000);
        }
        window.waited(60_000_000);
        assertThat(window.size()).isEqualTo(1);
    }

    @Test
    void shouldFetchAheadFromTheBeginningWhereNobodyElseCouldGetTheMessages() {
        Window window = new Window(100, true);
        assertThat(window.size()).isEqualTo(100);
        window.fallBack();
        assertThat(window.size()).isEqualTo(100);
    }
}
