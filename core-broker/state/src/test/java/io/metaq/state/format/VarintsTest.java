package io.metaq.state.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VarintsTest {
    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                127,
                128,
                300,
                16_383,
                16_384,
                Integer.MAX_VALUE,
                1L << 40,
                Long.MAX_VALUE,
                -1,
                Long.MIN_VALUE
            })
    void shouldComeBackFromItsBytes(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(Varints.MAX_BYTES);
        Varints.put(bytes, number);
        assertThat(bytes.position()).isEqualTo(Varints.size(number));
        assertThat(Varints.get(bytes.flip())).isEqualTo(number);
        ByteBuffer cut = bytes.flip().limit(bytes.limit() - 1);
        assertThatExceptionOfType(BufferUnderflowException.class).isThrownBy(() -> Varints.get(cut));
    }

    @Test
    void shouldRefuseANumberWithoutAnEnd() {
        byte[] endless = new byte[20];
        Arrays.fill(endless, (byte) 0x80);
        assertThatIllegalArgumentException().isThrownBy(() -> Varints.get(ByteBuffer.wrap(endless)));
    }

    @Test
    void shouldHoldAnyCountOfNumbers() throws IOException {
        NumberBlock block = new NumberBlock();
        for (long i = 0; i < 100_000; i++) {
            block.put(i * i);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        block.write(new DataOutputStream(out));
        ByteBuffer read = NumberBlock.read(new DataInputStream(new ByteArrayInputStream(out.toByteArray())));
        for (long i = 0; i < 100_000; i++) {
            assertThat(Varints.get(read)).isEqualTo(i * i);
        }
        assertThat(read.hasRemaining()).isFalse();
    }
}
