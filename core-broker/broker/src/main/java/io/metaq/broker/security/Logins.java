package io.metaq.broker.security;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks logins on threads of its own: stretching a password takes tenths of a second, which no event loop has. A broker without
 * users knows nobody, so every login is wrong.
 */
public final class Logins implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);
    private static final int MOST_WAITING = 10_000;

    private final UserDirectory directory;
    private final KnownLogins known = new KnownLogins();
    private final ThreadPoolExecutor threads;

    /** What came of a login. */
    public enum Verdict {
        RIGHT,
        WRONG,
        /** Not checked: too many wait, or something failed that the log tells. */
        BUSY
    }

    public Logins(UsersFile file) {
        directory = new UserDirectory(file);
        int most = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        threads = new ThreadPoolExecutor(
                most, most, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), work -> {
                    Thread thread = new Thread(work, "metaq-login");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Whether nobody could log in now. Asks the disk. */
    public boolean knowNobody() {
        return directory.users().isEmpty();
    }

    /** Whether this is the password of this user; never fails. The answer comes on a thread of this class. */
    public CompletableFuture<Verdict> check(String name, String password) {
        try {
            return CompletableFuture.supplyAsync(() -> right(name, password) ? Verdict.RIGHT : Verdict.WRONG, threads)
                    .exceptionally(failure -> {
                        LOG.error("a login could not be checked", failure);
                        return Verdict.BUSY;
                    });
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(Verdict.BUSY);
        }
    }

    private boolean right(String name, String password) {
        Map<String, PasswordHash> users = directory.users();
        PasswordHash stored = users.getOrDefault(name, nobody(users));
        if (known.contains(name, password, stored)) {
            return true;
        }
        boolean right = stored.fits(password.toCharArray());
        if (right) {
            known.add(name, password, stored);
        }
        return right;
    }

    /** The same work as for a user that exists: the time must not tell who does. */
    private static PasswordHash nobody(Map<String, PasswordHash> users) {
        return PasswordHash.ofNobody(
                users.values().stream().mapToInt(PasswordHash::iterations).max().orElse(PasswordHash.ITERATIONS));
    }

    /** Logins that wait are not answered any more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
