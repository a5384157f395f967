package io.metaq.xa;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The branches that sessions of this JVM work on. Shared by all XAResources, since a coordinator may let one resource join what another
 * began and finish it by a third.
 */
final class Branches {

    private record Key(String manager, XidKey xid) {}

    private static final Map<Key, Branch> OPEN = new ConcurrentHashMap<>();

    private Branches() {}

    static @Nullable Branch find(String manager, XidKey xid) {
        return OPEN.get(new Key(manager, xid));
    }

    /** @return null when there is one already */
    static @Nullable Branch begin(String manager, XidKey xid, int timeoutSeconds) {
        Branch fresh = new Branch(manager, xid, timeoutSeconds, System.nanoTime());
        return OPEN.putIfAbsent(new Key(manager, xid), fresh) == null ? fresh : null;
    }

    static void end(Branch branch) {
        OPEN.remove(new Key(branch.manager(), branch.xid()), branch);
    }

    /** How many are open: what is left behind is a leak. */
    static int open() {
        return OPEN.size();
    }
}
