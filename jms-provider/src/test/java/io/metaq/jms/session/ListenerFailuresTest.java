package io.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ListenerFailuresTest {

    @Test
    void shouldLogOneFailurePerSecondAndCountTheOthers() {
        Logger log = (Logger) LoggerFactory.getLogger(ListenerFailuresTest.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        long[] now = {5};
        ListenerFailures failures = new ListenerFailures(log, () -> now[0]);
        for (int i = 0; i < 2001; i++) {
            failures.failed(new IllegalStateException("failure " + i));
            now[0] += 1_000_000;
        }
        assertThat(lines.list).hasSize(3);
        assertThat(lines.list.get(0).getFormattedMessage()).isEqualTo("a message listener failed");
        assertThat(lines.list.get(0).getThrowableProxy().getMessage()).isEqualTo("failure 0");
        assertThat(lines.list.get(1).getFormattedMessage()).contains("after 999 failures");
        assertThat(lines.list.get(1).getThrowableProxy().getMessage()).isEqualTo("failure 1000");
    }
}
