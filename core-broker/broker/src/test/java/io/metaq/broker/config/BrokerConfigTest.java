package io.metaq.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerConfigTest {
    @TempDir
    private Path dir;

    @Test
    void shouldStartWithAFileOfVersion14Unchanged() throws Exception {
        BrokerConfig config = BrokerConfig.load(fileOfVersion14());

        assertThat(config.get(Settings.MAX_SEGMENT_SIZE)).isEqualTo(1 << 30);
        assertThat(config.updateConsumerOffsets()).isTrue();
        assertThat(config.zookeeper().enabled()).isFalse();
        assertThat(config.checkpointInterval()).isEqualTo(3_600_000);
        assertThat(config.journalPath()).isEqualTo(Path.of("/tmp/metalog/journal"));
        assertThat(config.declaredTopics()).extracting(TopicConfig::name).containsExactly("test", "meta-test");
        assertThat(config.declaredTopics().get(0).durableOnDisk()).isTrue();
        assertThat(config.declaredTopics().get(1)).satisfies(topic -> {
            assertThat(topic.numPartitions()).isEqualTo(4);
            assertThat(topic.durableOnDisk()).isFalse();
            assertThat(topic.acceptPublish()).isFalse();
            assertThat(topic.maxSegmentSize()).isEqualTo(1 << 30);
            assertThat(topic.deletePolicy())
                    .isEqualTo(new DeletePolicy(DeletePolicy.Action.ARCHIVE, Duration.ofHours(24), true));
        });
        assertThat(config.journalFlushInterval()).isEqualTo(500);
        assertThat(config.maxTxTimeoutInSeconds()).isEqualTo(60);
    }

    @Test
    void shouldWarnOfLegacyKeysThatHaveNoEffect() throws Exception {
        assertThat(BrokerConfig.load(fileOfVersion14()).warnings())
                .allMatch(warning -> !warning.fatal() && warning.text().startsWith("has no effect: "))
                .extracting(ConfigProblem::key)
                .containsExactly(
                        "dashboardHttpPort",
                        "appClassPath",
                        "getProcessThreadCount",
                        "putProcessThreadCount",
                        "quartzThreadCount",
                        "maxCheckpoints",
                        "maxTxTimeoutTimerCapacity",
                        "flushTxLogAtCommit",
                        "stat",
                        "loadMessageStoresInParallel",
                        "zk.zkSyncTimeMs",
                        "stat",
                        "dataPath",
                        "group.some-group");
    }

    @Test
    void shouldHaveADefaultForEveryKey() throws Exception {
        BrokerConfig config = load("");

        assertThat(config.serverPort()).isEqualTo(8123);
        assertThat(config.bindAddress()).isEqualTo("127.0.0.1");
        assertThat(config.advertisedHost()).isEqualTo("127.0.0.1");
        assertThat(config.zookeeper().enabled()).isFalse();
        assertThat(config.maxMessageSize()).isEqualTo(16 << 20);
        assertThat(config.journalSegmentSize()).isEqualTo(64 << 20);
        assertThat(config.topicDefaults("t").durableOnDisk()).isTrue();
    }

    @Test
    void shouldUseZooKeeperOnceTheFileHasThatSection() throws Exception {
        assertThat(load("[zookeeper]\nzk.zkConnect=h:1\n").zookeeper().enabled())
                .isTrue();
    }

    /** What is in the file, and the line that a user sees for it; \\n stands for a line's end. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[system]\\nservrPort=1 | :2: [system] servrPort: unknown key; did you mean serverPort?",
                "[system]\\nServerPort=1 | :2: [system] ServerPort: unknown key; did you mean serverPort?",
                "[zookeeper]\\nzk.zkconect=x:1 | :2: [zookeeper] zk.zkconect: unknown key; did you mean zk.zkConnect?",
                "[topic=a]\\n\\nnumPartition=1 | :3: [topic=a] numPartition: unknown key; did you mean numPartitions?",
                "[topic=a]\\nserverPort=1 | :2: [topic=a] serverPort: stands in the wrong section; put it below [system]",
                "[sytem]\\nserverPort=1 | :1: [sytem] unknown section; did you mean system?",
                "[topic=]\\nacceptPublish=true | :1: [topic=] no topic can have this name; give one without spaces and slashes, in UTF-8",
                "[topic=a b]\\nacceptPublish=true | :1: [topic=a b] no topic can have this name; give one without spaces and slashes, in UTF-8",
                "serverPort=1 | :1: serverPort: stands before the first section; put it below [system]",
                "[system]\\nserverPort=1\\nserverPort=2 | :3: [system] serverPort: is given twice; keep one of the lines",
                "[system]\\nserverPort=abc | :2: [system] serverPort: 'abc' is not a number; give a whole number from 0 to 65535"
                        + " (arithmetic such as 64*1024 is allowed)",
                "[system]\\nserverPort=65536 | :2: [system] serverPort: '65536' is above 65535; give a whole number from 0 to 65535"
                        + " (arithmetic such as 64*1024 is allowed)",
                "[system]\\nbrokerId=-1 | :2: [system] brokerId: '-1' is below 0; give a whole number from 0 to 1023"
                        + " (arithmetic such as 64*1024 is allowed)",
                "[system]\\nbrokerId=1/2 | :2: [system] brokerId: '1/2' is not a whole number that fits in 64 bits; give a whole"
                        + " number from 0 to 1023 (arithmetic such as 64*1024 is allowed)",
                "[system]\\nbrokerId=1/0 | :2: [system] brokerId: '1/0' is not a number; give a whole number from 0 to 1023"
                        + " (arithmetic such as 64*1024 is allowed)",
                "[system]\\nnumPartitions= | :2: [system] numPartitions: has no value; give a whole number from 1 to 100000"
                        + " (arithmetic such as 64*1024 is allowed)",
                "[system]\\nmaxInFlightBytes=1024 | :2: [system] maxInFlightBytes: '1024' is below 65536; give a whole number of at"
                        + " least 65536 (arithmetic such as 64*1024 is allowed)",
                "[system]\\nacceptPublish=yes | :2: [system] acceptPublish: 'yes' is not true or false; give true or false",
                "[system]\\nacceptPublish=1 | :2: [system] acceptPublish: '1' is neither true nor false; give true or false",
                "[system]\\ndeletePolicy=delete | :2: [system] deletePolicy: 'delete' is not a delete policy; give delete,AGE or"
                        + " archive,AGE[,true] with AGE as 30s, 90m or 168h, such as delete,168h",
                "[system]\\ndeletePolicy=delete,1h,true | :2: [system] deletePolicy: 'delete,1h,true' says whether to compress, which"
                        + " only archive can; give delete,AGE or archive,AGE[,true] with AGE as 30s, 90m or 168h, such as delete,168h",
                "[system]\\nkind=queue | :2: [system] kind: stands in the wrong section; put it below [topic=NAME]",
                "[topic=a]\\nkind=heap | :2: [topic=a] kind: 'heap' is none of these; give topic or queue",
                "[system]\\nredeliveryBackoff=0.5 | :2: [system] redeliveryBackoff: '0.5' is not from 1 to 1000; give a number from 1"
                        + " to 1000",
                "[system]\\nexpiryQueue=a/b | :2: [system] expiryQueue: 'a/b' cannot name a queue; give the name of a queue, or none",
                "[system]\\ntlsPort=0 | configuration: [system] tlsPort: '0' needs a certificate; give tlsKeyStore, or -1 for no TLS",
                "[system]\\ntlsClientAuth=need | configuration: [system] tlsClientAuth: 'need' needs certificates to compare with;"
                        + " give tlsTrustStore, or none",
                "[system]\\nmaxMessageSize=64*1024*1024 | configuration: [system] maxMessageSize: '67108864' is more than half of"
                        + " journalSegmentSize; give at most 33554432, or a larger journalSegmentSize",
            })
    void shouldSayInOneLineWhatIsWrongAndWhatWouldBeRight(String file, String line) throws IOException {
        List<ConfigProblem> problems = BrokerConfig.check(write(file.replace("\\n", "\n")));

        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).fatal()).isTrue();
        assertThat(problems.get(0).toString()).endsWith(line).doesNotContain("\n");
    }

    @Test
    void shouldReportAWrongCronExpression() throws IOException {
        assertThat(BrokerConfig.check(write("[system]\ndeleteWhen=every day\n"))
                        .get(0)
                        .toString())
                .contains("[system] deleteWhen: 'every day' is not a cron expression")
                .endsWith("; give a Quartz cron expression such as 0 0 6,18 * * ?");
    }

    @Test
    void shouldReportAllMistakesAtOnce() throws IOException {
        Path file = write("[system]\nservrPort=1\nbrokerId=x\n[topic=a]\nacceptPublish=maybe\n");

        assertThatThrownBy(() -> BrokerConfig.load(file)).isInstanceOfSatisfying(ConfigException.class, e -> {
            assertThat(e.problems())
                    .extracting(ConfigProblem::key)
                    .containsExactly("servrPort", "brokerId", "acceptPublish");
            assertThat(e.getMessage().lines()).hasSize(3).allMatch(line -> line.startsWith(file + ":"));
        });
    }

    @Test
    void shouldApplyTheSettingsOfWildcardSections() throws Exception {
        BrokerConfig config = load("[topic=orders.*]\nnumPartitions=7\n[topic=*]\nnumPartitions=2\n"
                + "[topic=orders.eu.*]\nnumPartitions=9\n[topic=orders.eu.x]\nnumPartitions=3\n");

        assertThat(partitions(config, "orders.us")).isEqualTo(7);
        assertThat(partitions(config, "orders.eu.y")).isEqualTo(9);
        assertThat(partitions(config, "orders.eu.x")).isEqualTo(3);
        assertThat(partitions(config, "other")).isEqualTo(2);
        assertThat(config.declaredTopics()).extracting(TopicConfig::name).containsExactly("orders.eu.x");
    }

    @Test
    void shouldTakeEveryCharacterButTheStarForItself() throws Exception {
        BrokerConfig config = load("[topic=a.b*]\n[topic=x(y)*]\n");

        assertThat(config.acceptedTopic("a.bc")).isPresent();
        assertThat(config.acceptedTopic("axbc")).isEmpty();
        assertThat(config.acceptedTopic("x(y)z")).isPresent();
    }

    @Test
    void shouldAcceptUnknownTopicsOnlyWhenTold() throws Exception {
        assertThat(load("[topic=a]\n").acceptedTopic("b")).isEmpty();
        assertThat(load("[system]\nautoCreateTopics=true\nnumPartitions=5\n").acceptedTopic("b"))
                .hasValueSatisfying(topic -> assertThat(topic.numPartitions()).isEqualTo(5));
    }

    @Test
    void shouldKeepTheBytesOfTheFileAndTheirChecksum() throws Exception {
        byte[] bytes = "# caf\u00e9\r\n[system]\r\nbrokerId=3\r\n".getBytes(StandardCharsets.ISO_8859_1);
        Path file = Files.write(dir.resolve("raw.ini"), bytes);
        CRC32 crc = new CRC32();
        crc.update(bytes);

        BrokerConfig config = BrokerConfig.load(file);

        assertThat(config.source()).isEqualTo(bytes);
        assertThat(config.checksum()).isEqualTo(crc.getValue());
        assertThat(config.brokerId()).isEqualTo(3);
    }

    @Test
    void shouldReadCommentsInGbkButRefuseSuchValues() throws Exception {
        Path file = dir.resolve("gbk.ini");
        Files.writeString(file, "# \u4e2d\u6587\n[system]\nhostName=\u4e2d\u6587\n", Charset.forName("GBK"));

        assertThat(BrokerConfig.check(file))
                .singleElement()
                .asString()
                .contains("[system] hostName")
                .contains("is not written in UTF-8");
    }

    @Test
    void shouldAlterATopicAndTellWhatIsItsOwn() throws Exception {
        TopicConfig topic =
                load("[system]\nnumPartitions=3\n").topicDefaults("t").with("retentionBytes", "10*1024");

        assertThat(topic.retentionBytes()).isEqualTo(10240);
        assertThat(topic.numPartitions()).isEqualTo(3);
        assertThat(topic.ownSettings()).isEqualTo(Map.of("retentionBytes", "10240"));
        assertThatThrownBy(() -> topic.with("retensionBytes", "1"))
                .hasMessage("retensionBytes: unknown topic setting; did you mean retentionBytes?");
        assertThatThrownBy(() -> topic.with("acceptPublish", "no"))
                .hasMessage("acceptPublish: 'no' is not true or false; give true or false");
    }

    @Test
    void shouldCreateDestinationsOnDemandAsTheirSectionSays() throws Exception {
        BrokerConfig config = load("[topic=orders.*]\nkind=queue\nnumPartitions=3\n[topic=plain*]\n");

        assertThat(config.destinationOnDemand("orders.eu", false))
                .hasValueSatisfying(topic -> assertThat(topic.queue()).isTrue());
        assertThat(config.destinationOnDemand("plain", true))
                .hasValueSatisfying(topic -> assertThat(topic.queue()).isTrue());
        assertThat(config.destinationOnDemand("other", false))
                .hasValueSatisfying(topic -> assertThat(topic.queue()).isFalse());
        assertThat(load("[system]\ncreateDestinations=false\n").destinationOnDemand("other", true))
                .isEmpty();
    }

    @Test
    void shouldLetTheDelayOfRedeliveryGrowToItsLimit() throws Exception {
        TopicConfig topic = load("[system]\nredeliveryDelay=100\nredeliveryBackoff=2.5\nmaxRedeliveryDelay=1000\n")
                .topicDefaults("t");

        assertThat(topic.redeliveryDelay(1)).isEqualTo(100);
        assertThat(topic.redeliveryDelay(2)).isEqualTo(250);
        assertThat(topic.redeliveryDelay(3)).isEqualTo(625);
        assertThat(topic.redeliveryDelay(4)).isEqualTo(1000);
        assertThat(topic.redeliveryDelay(4000)).isEqualTo(1000);
        assertThat(topic.deadLetterQueue()).isEqualTo("DLQ");
        assertThat(topic.expiryQueue()).isNull();
    }

    @Test
    void shouldGiveOutNoPasswords() throws Exception {
        BrokerConfig config = load("[system]\ntlsKeyStorePassword = geheim\r\nbrokerId=1\ntlsTrustStorePassword=x\n");

        assertThat(new String(config.source(), StandardCharsets.UTF_8))
                .isEqualTo("[system]\ntlsKeyStorePassword =***\r\nbrokerId=1\ntlsTrustStorePassword=***\n");
        assertThat(config.tls().keyStore().password()).isEqualTo("geheim".toCharArray());
        assertThat(config.tls().keyStore().toString()).doesNotContain("geheim");
    }

    @Test
    void shouldGiveTheTextOfAConfigurationMadeInCode() throws Exception {
        BrokerConfig config =
                BrokerConfig.builder().serverPort(0).dataPath(dir).topic("t", 4).build();

        BrokerConfig again = load(new String(config.source(), StandardCharsets.UTF_8));

        assertThat(again.serverPort()).isZero();
        assertThat(again.dataPath()).isEqualTo(dir);
        assertThat(partitions(again, "t")).isEqualTo(4);
        assertThat(again.zookeeper().enabled()).isFalse();
    }

    @Test
    void shouldResumeTakingMessagesALittleAboveTheLowMark() throws Exception {
        BrokerConfig config = load("[system]\ndiskWatermarkBytes=800\ndiskWatermarkPercent=1\n");

        assertThat(config.diskLowMark(10_000)).isEqualTo(800);
        assertThat(config.diskLowMark(100_000)).isEqualTo(1_000);
        assertThat(config.diskLowMark(1_000)).as("a tenth of a small disk").isEqualTo(100);
        assertThat(config.diskResumeMark(10_000)).isEqualTo(900);
    }

    @Test
    void shouldFindTheNextTimeOfASchedule() {
        ZonedDateTime seven = ZonedDateTime.parse("2026-11-30T07:00:00Z");

        assertThat(CronSchedule.parse("0 0 6,18 * * ?").next(seven))
                .contains(ZonedDateTime.parse("2026-11-30T18:00:00Z"));
    }

    @Test
    void shouldDescribeEveryKey() {
        assertThat(Settings.system())
                .allSatisfy(setting -> assertThat(setting.description()).endsWith("."));
        assertThat(Settings.topic())
                .allSatisfy(setting -> assertThat(setting.description()).endsWith("."))
                .filteredOn(setting -> setting != Settings.KIND)
                .isSubsetOf(Settings.system());
        assertThat(Settings.zookeeper())
                .allSatisfy(setting -> assertThat(setting.description()).isNotBlank());
    }

    private static int partitions(BrokerConfig config, String topic) {
        return config.acceptedTopic(topic).orElseThrow().numPartitions();
    }

    private Path fileOfVersion14() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("server-1.4.ini"))) {
            return Files.write(dir.resolve("server.ini"), in.readAllBytes());
        }
    }

    private BrokerConfig load(String text) throws Exception {
        return BrokerConfig.load(write(text));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(dir.resolve("server.ini"), text);
    }
}
