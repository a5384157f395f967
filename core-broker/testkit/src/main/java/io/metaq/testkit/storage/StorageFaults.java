package io.metaq.testkit.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What goes wrong with a {@link SimulatedStorage}, and when. */
public final class StorageFaults {

    private long capacity = Long.MAX_VALUE / 2;
    private boolean powerOff;
    private long syncs;
    private long powerOffAtSync = -1;
    private long failSync = -1;
    private Function<Path, @Nullable IOException> writeFault = path -> null;

    StorageFaults() {}

    /** Size of the disk in bytes. */
    public synchronized void capacity(long bytes) {
        capacity = bytes;
    }

    synchronized long capacity() {
        return capacity;
    }

    /** Number of syncs of files and directories so far. */
    public synchronized long syncs() {
        return syncs;
    }

    /** The power goes just before the n-th sync from now (1 = the next) does anything. */
    public synchronized void powerOffAtSync(long n) {
        powerOffAtSync = syncs + n;
    }

    /** The n-th sync from now fails with an input/output error, and stores nothing. */
    public synchronized void failSync(long n) {
        failSync = syncs + n;
    }

    /** Asked before each write; an exception is thrown after half of the bytes were written. */
    public synchronized void onWrite(Function<Path, @Nullable IOException> fault) {
        writeFault = fault;
    }

    synchronized @Nullable IOException beforeWrite(Path path) throws IOException {
        check();
        return writeFault.apply(path);
    }

    synchronized void beforeSync(Path path) throws IOException {
        check();
        syncs++;
        if (syncs == powerOffAtSync) {
            powerOff = true;
            check();
        }
        if (syncs == failSync) {
            throw new IOException(path + ": Input/output error");
        }
    }

    synchronized void powerOff() {
        powerOff = true;
    }

    /** Fails once the power is off. */
    synchronized void check() throws IOException {
        if (powerOff) {
            throw new IOException("the power is off");
        }
    }
}
