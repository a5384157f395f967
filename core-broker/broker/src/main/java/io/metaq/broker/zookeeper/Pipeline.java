package io.metaq.broker.zookeeper;

import java.util.concurrent.Semaphore;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Requests on their way to ZooKeeper: a window that bounds them, and the first answer that was not expected. */
final class Pipeline {
    private static final int WINDOW = 1_000;

    private final Semaphore window = new Semaphore(WINDOW);
    private volatile @Nullable KeeperException failure;

    /** To be called before a request is sent; waits while the window is full. */
    void begin() throws InterruptedException {
        window.acquire();
    }

    /** To be called by the request's callback. Every request gets one, also when the connection is lost. */
    void end(int code, String path, Code... alsoFine) {
        Code answer = Code.get(code);
        boolean fine = answer == Code.OK;
        for (Code other : alsoFine) {
            fine |= answer == other;
        }
        if (!fine) {
            failure = KeeperException.create(answer, path);
        }
        window.release();
    }

    /** For a request that could not be sent. */
    void withdraw() {
        window.release();
    }

    /** Waits for all answers; throws when one was neither OK nor among those expected. */
    void await() throws KeeperException, InterruptedException {
        window.acquire(WINDOW);
        window.release(WINDOW);
        KeeperException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }
}
