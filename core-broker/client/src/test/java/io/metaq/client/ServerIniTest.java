package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerIniTest {

    private static final String INI = """
            [system]
            brokerId=0
            numPartitions = 3
            [topic=orders]
            numPartitions=5
            [topic=other]
            stat=true
            """;

    @Test
    void shouldTakeTheTopicsNumberAndElseThatOfTheSystem() {
        assertThat(ServerIni.partitions(INI, "orders")).isEqualTo(5);
        assertThat(ServerIni.partitions(INI, "other")).isEqualTo(3);
        assertThat(ServerIni.partitions(INI.replace("\n", "\r\n"), "unheard")).isEqualTo(3);
    }

    @Test
    void shouldNotGuessWhatIsNotAPlainNumber() {
        assertThat(ServerIni.partitions("[system]\nnumPartitions=2*2\n", "orders"))
                .isZero();
    }
}
