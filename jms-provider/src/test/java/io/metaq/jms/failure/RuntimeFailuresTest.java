package io.metaq.jms.failure;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import org.junit.jupiter.api.Test;

class RuntimeFailuresTest {

    @Test
    void shouldGiveEachCheckedExceptionItsTwin() {
        assertThat(RuntimeFailures.of(new IllegalStateException("x")))
                .isExactlyInstanceOf(IllegalStateRuntimeException.class);
        assertThat(RuntimeFailures.of(new InvalidClientIDException("x")))
                .isExactlyInstanceOf(InvalidClientIDRuntimeException.class);
        assertThat(RuntimeFailures.of(new ResourceAllocationException("x")))
                .isExactlyInstanceOf(ResourceAllocationRuntimeException.class);
    }

    @Test
    void shouldMakeThePlainOneOfWhatHasNoTwin() {
        assertThat(RuntimeFailures.of(new MessageEOFException("x"))).isExactlyInstanceOf(JMSRuntimeException.class);
    }

    @Test
    void shouldKeepTextCodeAndCause() {
        JMSException checked = new JMSException("why", "409");

        JMSRuntimeException twin = RuntimeFailures.of(checked);

        assertThat(twin).hasMessage("why").hasCause(checked);
        assertThat(twin.getErrorCode()).isEqualTo("409");
    }
}
