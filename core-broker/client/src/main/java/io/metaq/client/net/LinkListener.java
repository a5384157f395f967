package io.metaq.client.net;

/** Told about the fate of a link's connection, on its event loop. */
public interface LinkListener {

    /** Connected and negotiated; called before requests that waited for the connection are sent. */
    void up(ServerInfo server);

    /**
     * The connection ended, or one could not be made. Requests that were under way have been failed before. With
     * {@link NetworkFailure.Kind#REFUSED} no other will be made.
     */
    void down(NetworkFailure failure);
}
