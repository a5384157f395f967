package io.metaq.testkit.storage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/** The bytes of a file: as written, and as they are durable. Guarded by the storage. */
final class SimulatedFile {

    private static final int SECTOR_BYTES = 512;

    private byte[] bytes = new byte[0];
    private int size;
    private byte[] durable = new byte[0];
    private int durableSize;

    /** Sectors in which the two may differ. */
    private final BitSet unsynced = new BitSet();

    long size() {
        return size;
    }

    byte[] content() {
        return Arrays.copyOf(bytes, size);
    }

    void replaceContent(byte[] content) {
        truncate(0);
        write(ByteBuffer.wrap(content), 0);
        sync();
    }

    void write(ByteBuffer from, long position) {
        int length = from.remaining();
        int end = (int) position + length;
        reserve(end);
        from.get(bytes, (int) position, length);
        unsynced.set((int) position / SECTOR_BYTES, (end + SECTOR_BYTES - 1) / SECTOR_BYTES);
        if (position > size) {
            unsynced.set(size / SECTOR_BYTES, (int) position / SECTOR_BYTES + 1);
        }
        size = Math.max(size, end);
    }

    int read(ByteBuffer into, long position) {
        if (position >= size) {
            return -1;
        }
        int length = (int) Math.min(into.remaining(), size - position);
        into.put(bytes, (int) position, length);
        return length;
    }

    void truncate(long newSize) {
        if (newSize < size) {
            Arrays.fill(bytes, (int) newSize, size, (byte) 0);
            unsynced.set((int) newSize / SECTOR_BYTES, (size + SECTOR_BYTES - 1) / SECTOR_BYTES);
            size = (int) newSize;
        }
    }

    void sync() {
        durable = Arrays.copyOf(durable, bytes.length);
        for (int sector = unsynced.nextSetBit(0); sector >= 0; sector = unsynced.nextSetBit(sector + 1)) {
            copySector(bytes, durable, sector);
        }
        unsynced.clear();
        durableSize = size;
    }

    private static void copySector(byte[] from, byte[] to, int sector) {
        int start = sector * SECTOR_BYTES;
        int end = Math.min(start + SECTOR_BYTES, Math.min(from.length, to.length));
        if (start < end) {
            System.arraycopy(from, start, to, start, end - start);
        }
    }

    private void reserve(int length) {
        if (length > bytes.length) {
            int sectors = (Math.max(length, bytes.length * 2) + SECTOR_BYTES - 1) / SECTOR_BYTES;
            bytes = Arrays.copyOf(bytes, sectors * SECTOR_BYTES);
        }
    }

    /** Any of the sectors that were not synced may have reached the disk, or not; so may the length. */
    SimulatedFile afterPowerCut(Random random) {
        SimulatedFile survivor = new SimulatedFile();
        survivor.bytes = Arrays.copyOf(durable, Math.max(durable.length, bytes.length));
        double kept = random.nextInt(3) / 2.0; // none, half, all
        for (int sector = unsynced.nextSetBit(0); sector >= 0; sector = unsynced.nextSetBit(sector + 1)) {
            if (random.nextDouble() < kept) {
                copySector(bytes, survivor.bytes, sector);
            }
        }
        survivor.size = random.nextDouble() < kept ? size : durableSize;
        Arrays.fill(survivor.bytes, survivor.size, survivor.bytes.length, (byte) 0);
        survivor.durable = survivor.bytes.clone();
        survivor.durableSize = survivor.size;
        return survivor;
    }

    SimulatedFile copy() {
        SimulatedFile copy = new SimulatedFile();
        copy.bytes = bytes.clone();
        copy.size = size;
        copy.durable = bytes.clone();
        copy.durableSize = size;
        return copy;
    }
}
