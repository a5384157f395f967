package io.metaq.xa;

import io.metaq.client.subscription.TransactionParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/** A broker's table of branches in memory: how many parts each has, and whether it is prepared. */
final class MemoryManager implements ResourceManager {

    /** What the broker was asked, in order: {@code enlist KEY then parts}, {@code COMMIT KEY} ... */
    final List<String> asked = new ArrayList<>();

    final Map<String, Boolean> prepared = new TreeMap<>();

    /** Code of the next failure, 0 for none. */
    int failNext;

    /** Whether the next failure comes after the broker has done what it was asked: only the answer is lost. */
    boolean afterwards;

    private final String id;

    MemoryManager(String id) {
        this.id = id;
    }

    @Override
    public String id() {
        return id;
    }

    private void failBefore() throws XAException {
        if (failNext != 0 && !afterwards) {
            fail();
        }
    }

    private void failAfter() throws XAException {
        if (failNext != 0) {
            fail();
        }
    }

    private void fail() throws XAException {
        int code = failNext;
        failNext = 0;
        throw XaFailures.of(code, "on purpose");
    }

    @Override
    public int enlist(String key, Then then, TransactionParts parts, boolean begun, int timeoutSeconds)
            throws XAException {
        asked.add("enlist " + then + (parts.isEmpty() ? " empty" : ""));
        failBefore();
        if (begun != prepared.containsKey(key)) {
            throw XaFailures.of(XAException.XAER_NOTA, "begun " + begun);
        }
        switch (then) {
            case NOTHING -> prepared.put(key, false);
            case PREPARE -> prepared.put(key, true);
            case COMMIT -> prepared.remove(key);
        }
        failAfter();
        return XAResource.XA_OK;
    }

    @Override
    public void finish(String key, Step step) throws XAException {
        asked.add(step.toString());
        failBefore();
        if (prepared.remove(key) == null) {
            throw XaFailures.of(XAException.XAER_NOTA, "unknown");
        }
        failAfter();
    }

    @Override
    public List<String> recover() {
        return prepared.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
    }
}
