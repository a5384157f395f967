package io.metaq.client.net;

import io.metaq.protocol.Response;

/** Told exactly once about the outcome of a request, on the link's event loop (or on the caller's thread after a close). */
public interface ReplyHandler {

    /** The broker's answer; whoever takes it releases it. */
    void reply(Response response);

    /** There is no answer. */
    void failed(NetworkFailure failure);
}
