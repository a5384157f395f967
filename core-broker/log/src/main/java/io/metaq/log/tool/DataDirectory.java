package io.metaq.log.tool;

import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where things are below the data path of a broker. */
final class DataDirectory {

    private final Path root;
    private final Storage storage;

    DataDirectory(Path root, Storage storage) {
        this.root = root;
        this.storage = storage;
    }

    Path journal() {
        return root.resolve("journal");
    }

    Path attic() {
        return root.resolve("attic");
    }

    /** The directories of all partitions. */
    List<Path> partitions() throws IOException {
        List<Path> partitions = new ArrayList<>();
        for (Path topic : storage.list(root.resolve("partitions"))) {
            for (Path partition : storage.list(topic)) {
                if (storage.isDirectory(partition)) {
                    partitions.add(partition);
                }
            }
        }
        return partitions;
    }
}
