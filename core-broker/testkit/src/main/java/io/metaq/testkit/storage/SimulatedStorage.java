package io.metaq.testkit.storage;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A disk in memory. It keeps apart what was written and what is durable:
 *
 * <ul>
 *   <li>the bytes of a file are durable after a sync of the file; a power cut keeps any subset of the sectors written
 *       since, chosen by a seed;
 *   <li>names are durable after a sync of their directory; a power cut keeps the older part of the changes since.
 * </ul>
 *
 * Directories themselves are always durable. Faults are planted through {@link #faults()}. Safe for several threads.
 */
public final class SimulatedStorage implements Storage {

    private final Map<Path, SimulatedFile> files;
    private final Map<Path, SimulatedFile> durableFiles;
    private final Set<Path> directories;
    private final List<NameChange> unsyncedNames = new ArrayList<>();
    private final StorageFaults faults = new StorageFaults();

    private record NameChange(Set<Path> directories, Consumer<Map<Path, SimulatedFile>> change) {}

    public SimulatedStorage() {
        this(new TreeMap<>(), new HashSet<>());
    }

    private SimulatedStorage(Map<Path, SimulatedFile> files, Set<Path> directories) {
        this.files = files;
        this.durableFiles = new TreeMap<>(files);
        this.directories = directories;
    }

    public StorageFaults faults() {
        return faults;
    }

    /** The disk after a power cut at this moment. This one fails everything from now on. */
    public synchronized SimulatedStorage powerCut(Random random) {
        faults.powerOff();
        Map<Path, SimulatedFile> names = new TreeMap<>(durableFiles);
        int kept = random.nextInt(unsyncedNames.size() + 1);
        unsyncedNames.subList(0, kept).forEach(name -> name.change().accept(names));
        Map<Path, SimulatedFile> survivors = new TreeMap<>();
        names.forEach((path, file) -> survivors.put(path, file.afterPowerCut(random)));
        return new SimulatedStorage(survivors, new HashSet<>(directories));
    }

    /** The disk as another process would find it now, which is what is left after a {@code kill -9}. */
    public synchronized SimulatedStorage copy() {
        Map<Path, SimulatedFile> copies = new TreeMap<>();
        files.forEach((path, file) -> copies.put(path, file.copy()));
        return new SimulatedStorage(copies, new HashSet<>(directories));
    }

    /** The content of a file; changing the array changes nothing. */
    public synchronized byte[] content(Path path) throws IOException {
        return file(path).content();
    }

    /** Replaces the content of a file, durably. */
    public synchronized void replaceContent(Path path, byte[] content) throws IOException {
        file(path).replaceContent(content);
    }

    @Override
    public synchronized StorageFile open(Path path, OpenOption... options) throws IOException {
        faults.check();
        Set<OpenOption> wanted = Set.of(options);
        SimulatedFile file = files.get(path);
        if (file != null && wanted.contains(StandardOpenOption.CREATE_NEW)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        if (file == null) {
            if (!wanted.contains(StandardOpenOption.CREATE) && !wanted.contains(StandardOpenOption.CREATE_NEW)) {
                throw new FileNotFoundException(path.toString());
            }
            SimulatedFile created = new SimulatedFile();
            change(names -> names.put(path, created), path);
            file = created;
        } else if (wanted.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
            file.truncate(0);
        }
        return new SimulatedHandle(this, path, file);
    }

    private void change(Consumer<Map<Path, SimulatedFile>> change, Path... touched) throws IOException {
        Set<Path> parents = new HashSet<>();
        for (Path path : touched) {
            Path parent = path.getParent();
            if (parent != null) {
                if (!directories.contains(parent)) {
                    throw new FileNotFoundException(parent.toString());
                }
                parents.add(parent);
            }
        }
        change.accept(files);
        unsyncedNames.add(new NameChange(parents, change));
    }

    private SimulatedFile file(Path path) throws IOException {
        SimulatedFile file = files.get(path);
        if (file == null) {
            throw new FileNotFoundException(path.toString());
        }
        return file;
    }

    @Override
    public synchronized boolean exists(Path path) {
        return files.containsKey(path) || directories.contains(path);
    }

    @Override
    public synchronized boolean isDirectory(Path path) {
        return directories.contains(path);
    }

    @Override
    public synchronized List<Path> list(Path directory) throws IOException {
        faults.check();
        List<Path> entries = new ArrayList<>();
        files.keySet().stream()
                .filter(path -> directory.equals(path.getParent()))
                .forEach(entries::add);
        directories.stream().filter(path -> directory.equals(path.getParent())).forEach(entries::add);
        entries.sort(null);
        return entries;
    }

    @Override
    public synchronized void createDirectories(Path directory) throws IOException {
        faults.check();
        for (Path at = directory; at != null; at = at.getParent()) {
            directories.add(at);
        }
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        faults.check();
        SimulatedFile file = file(from);
        change(
                names -> {
                    names.remove(from);
                    names.put(to, file);
                },
                from,
                to);
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        faults.check();
        if (files.containsKey(path)) {
            change(names -> names.remove(path), path);
        } else {
            directories.remove(path);
        }
    }

    /** Changes of names become durable in the order in which they were made. */
    @Override
    public synchronized void syncDirectory(Path directory) throws IOException {
        faults.beforeSync(directory);
        int last = unsyncedNames.size() - 1;
        while (last >= 0 && !unsyncedNames.get(last).directories().contains(directory)) {
            last--;
        }
        List<NameChange> synced = unsyncedNames.subList(0, last + 1);
        synced.forEach(name -> name.change().accept(durableFiles));
        synced.clear();
    }

    @Override
    public synchronized long usableSpace(Path path) {
        return faults.capacity() - used();
    }

    @Override
    public long totalSpace(Path path) {
        return faults.capacity();
    }

    /** Bytes that the files take up. */
    public synchronized long used() {
        return files.values().stream().mapToLong(SimulatedFile::size).sum();
    }

    @Override
    public synchronized long size(Path path) throws IOException {
        return file(path).size();
    }

    /** There is no clock: always 0. */
    @Override
    public synchronized long lastModifiedMs(Path path) throws IOException {
        file(path);
        return 0;
    }
}
