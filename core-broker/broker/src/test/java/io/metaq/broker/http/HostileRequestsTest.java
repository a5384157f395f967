package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.Settings;
import io.metaq.broker.security.UsersFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be understood, is too much or must not be costs one connection at most. */
class HostileRequestsTest {
    private static final String MESSAGES = "/v1/topics/t/messages";
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

    @TempDir
    private static Path dir;

    private static HttpBroker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = new HttpBroker(
                dir,
                config -> config.set(Settings.ADMIN_REQUEST_TIMEOUT, 2_000)
                        .set(Settings.ADMIN_MAX_BODY_SIZE, 100_000)
                        .set(Settings.ADMIN_ALLOWED_ORIGINS, "https://console.example.com"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @AfterEach
    void shouldStillServe() throws Exception {
        json(200, broker.get("/health"));
    }

    /** Everything that is answered until the broker ends the connection. */
    private String talk(String bytes) throws IOException {
        try (RawConnection connection = new RawConnection(broker.port())) {
            return connection.send(bytes).rest();
        }
    }

    @Test
    void shouldRefuseWhatIsNoRequest() throws Exception {
        assertThat(talk("rubbish\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(talk("GET /" + "x".repeat(20_000) + HOST + "\r\n")).startsWith("HTTP/1.1 414 ");
        assertThat(talk("GET /health" + HOST + "X: " + "x".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ");
        assertThat(talk("GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(talk("POST " + MESSAGES + HOST + "Content-Length: 200000\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(talk("POST " + MESSAGES + HOST + "Content-Length: -5\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(talk("POST " + MESSAGES + HOST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(talk("POST " + MESSAGES + HOST + "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"))
                .startsWith("HTTP/1.1 415 ");
        assertThat(talk("GET /health" + HOST + "Expect: rain\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 417 ");
    }

    @Test
    void shouldEndChunksWithoutEndAndRequestsThatTrickle() throws Exception {
        String chunks = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
        assertThat(talk("POST " + MESSAGES + HOST + "Transfer-Encoding: chunked\r\n\r\n" + chunks.repeat(8)))
                .startsWith("HTTP/1.1 413 ");
        assertThat(talk("POST " + MESSAGES + HOST + "Content-Length: 10\r\n\r\nhalf"))
                .startsWith("HTTP/1.1 408 ");
        assertThat(talk("GET /hea")).startsWith("HTTP/1.1 408 ");
    }

    @Test
    void shouldAnswerInOrderWhatIsSentAhead() throws Exception {
        String answers = talk("POST " + MESSAGES + HOST + "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\na"
                + "GET /v1/topics/nowhere" + HOST + "\r\n"
                + "HEAD /v1/topics/t/partitions/0/messages" + HOST + "\r\n"
                + "POST " + MESSAGES + HOST
                + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n"
                + "GET /health" + HOST + "Connection: close\r\n\r\n");
        assertThat(answers.replaceAll("(?s)(HTTP/1.1 \\d+).*?(?=HTTP/1.1 |$)", "$1;"))
                .isEqualTo("HTTP/1.1 200;HTTP/1.1 404;HTTP/1.1 200;HTTP/1.1 200;HTTP/1.1 200;");
        assertThat(broker.messages("t", 0)).hasSize(2);
    }

    @Test
    void shouldAskForABodyOnlyIfItWillBeTaken() throws Exception {
        String head =
                " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 1\r\n";
        assertThat(talk("POST " + MESSAGES + head + "Content-Type: text/plain\r\n\r\na"))
                .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ");
        assertThat(talk("POST /nowhere" + head + "\r\na")).startsWith("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'messages':[{'body':'a','body':'b'}]}",
                "{'messages':[{'body':'a'}]} x",
                "{'messages':[{'body':'a'}",
                "{'messages':[{'nobody':'a'}]}",
                "{'messages':[{'body':{'x':{'type':'int','value':2147483648}}}]}",
                "{'messages':[{'body':{'x':123456789012345678901234567890}}]}",
                "{'messages':[{'body':{'x':1e999}}]}",
                "{'messages':[{'body':'\\ud800'}]}",
                "{'messages':[{'body':{'':1}}]}",
                "{'messages':[{'type':'bytes','body':'?'}]}",
                "{'messages':[{'type':'text','body':[]}]}",
                "{'messages':[{'body':'a','headers':{'priority':10}}]}",
                "{'messages':[{'body':'a','delay':1,'headers':{'deliveryTime':1}}]}",
                "{'messages':[{'body':'a','properties':{'JMSXGroupSeq':'x'}}]}",
                "{'messages':[],'seq':1}",
                "{'messages':[{'body':'a'}],'seq':1}",
                "[]",
                "",
                "{'messages':{}}"
            })
    void shouldSayWhatIsWrongWithADocument(String document) throws Exception {
        assertThat(json(400, broker.postJson("/v1/topics/four/messages", document))
                        .get("message")
                        .textValue())
                .isNotBlank();
        for (int partition = 0; partition < 4; partition++) {
            assertThat(broker.messages("four", partition)).isEmpty();
        }
    }

    @Test
    void shouldRefuseNestingAndBytesThatAreNoText() throws Exception {
        assertThat(json(400, broker.postJson(MESSAGES, "[".repeat(50_000)))
                        .get("message")
                        .textValue())
                .contains("line 1");
        byte[] invalid = "{\"messages\":[{\"body\":\"\u00c3\u0028\"}]}".getBytes(ISO_8859_1);
        json(400, broker.post(MESSAGES, "application/json", invalid));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/topics/..%2f..%2fetc%2fpasswd, 400",
        "GET, /v1/topics/../../etc/passwd, 404",
        "GET, /v1/topics/%00, 400",
        "GET, /v1/topics/%zz, 400",
        "GET, /v1/topics/%ff, 400",
        "GET, /v1/topics/t/partitions/99999999999/messages, 400",
        "GET, /v1/topics/t/partitions/0/messages?offset=99999999999999999999, 400",
        "GET, /v1/topics/t/partitions/0/messages?offset=-1, 400",
        "GET, /v1/topics/t/partitions/0/messages?offset=first&offset=last, 400",
        "GET, /v1/topics/t/partitions/0/messages?unknown=1, 400",
        "GET, /v1/topics/t/partitions/0/messages?max=0, 400",
        "PUT, /v1/topics/t/messages, 405",
        "GET, /, 404"
    })
    void shouldRefusePathsAndParameters(String method, String path, int status) throws Exception {
        String answer = talk(method + " " + path + HOST + "Connection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        if (status == 405) {
            assertThat(answer).containsIgnoringCase("\r\nallow: OPTIONS, POST\r\n");
        }
    }

    @Test
    void shouldKeepOutThePagesOfOthers() throws Exception {
        String get = "GET /v1/topics HTTP/1.1\r\nConnection: close\r\nHost: ";
        assertThat(talk(get + "localhost\r\nOrigin: https://evil.example\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(talk(get + "localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(talk(get + "evil.example\r\n\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(talk(get + "localhost\r\nOrigin: https://console.example.com\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .contains("access-control-allow-origin: https://console.example.com");
        assertThat(talk(get + "[::1]:80\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void shouldTellPagesThatMayWhatTheyMay() throws Exception {
        String options = "OPTIONS " + MESSAGES + HOST + "Connection: close\r\nOrigin: https://";
        assertThat(talk(options + "console.example.com\r\n\r\n"))
                .startsWith("HTTP/1.1 204 ")
                .containsIgnoringCase("\r\naccess-control-allow-origin: https://console.example.com\r\n")
                .containsIgnoringCase("\r\naccess-control-allow-methods: OPTIONS, POST\r\n")
                .containsIgnoringCase("\r\naccess-control-allow-headers: Authorization, Content-Type, ");
        assertThat(talk(options + "evil.example\r\n\r\n")).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void shouldServeUsersOnlyWhereOnlyUsersAreServed(@TempDir Path other) throws Exception {
        new UsersFile(other.resolve("users")).put("anna", "pässword:x".toCharArray());
        try (HttpBroker closed = new HttpBroker(other, config -> config.set(Settings.ALLOW_ANONYMOUS, false))) {
            var refused = closed.get("/v1/topics");
            assertThat(refused.headers().firstValue("www-authenticate"))
                    .hasValueSatisfying(value -> assertThat(value).startsWith("Basic"));
            json(401, refused);
            json(401, closed.get("/v1/topics", "Authorization", basic("anna:wrong")));
            json(401, closed.get("/v1/topics", "Authorization", "Bearer x"));
            json(200, closed.get("/v1/topics", "Authorization", basic("anna:pässword:x")));
            json(401, closed.get("/v1/topics"));
            json(200, closed.get("/health"));
        }
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }
}
