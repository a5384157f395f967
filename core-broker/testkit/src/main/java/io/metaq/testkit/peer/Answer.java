package io.metaq.testkit.peer;

/** What the peer does about a request. Doing nothing is an answer too: the client waits in vain. */
@FunctionalInterface
public interface Answer {
    void give(PeerRequest request, PeerConnection connection);

    static Answer result(int code, String text) {
        return (request, connection) -> connection.result(code, text, request.opaque());
    }

    static Answer value(byte[] body) {
        return (request, connection) -> connection.value(body, request.opaque());
    }

    /** As a broker of MetaQ 1.4 answers {@code version}, whatever else was asked with it. */
    static Answer version14() {
        return result(200, "0.1");
    }

    /** As a broker of protocol 2 answers a client that negotiates; one that does not gets the version alone. */
    static Answer version2(int brokerId, String features) {
        return (request, connection) -> connection.result(
                200,
                request.option("protocol") == null
                        ? "2.0.0"
                        : "2.0.0\r\nprotocol 2\r\nbroker_id " + brokerId
                                + "\r\nmax_body 16777216\r\nmax_line 16384\r\nfeatures " + features + "\r\n",
                request.opaque());
    }

    /** As a broker answers {@code attach}. */
    static Answer attached() {
        return (request, connection) -> connection.result(
                200,
                "subscription " + request.token(2) + "\r\nconsumer " + request.token(1) + "\r\n",
                request.opaque());
    }

    static Answer silence() {
        return (request, connection) -> {};
    }

    static Answer close() {
        return (request, connection) -> connection.close();
    }

    static Answer reset() {
        return (request, connection) -> connection.reset();
    }
}
