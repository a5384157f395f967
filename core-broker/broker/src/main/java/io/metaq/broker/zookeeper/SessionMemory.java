package io.metaq.broker.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ZooKeeper sessions this broker has had, kept beside its data. After a crash the old session lives on for a while
 * and holds the broker's nodes; a node of a remembered session is our own and may be replaced at once. The data
 * directory's lock makes sure that nobody else can claim that memory.
 */
final class SessionMemory {
    private static final Logger LOG = LoggerFactory.getLogger(SessionMemory.class);
    private static final int KEPT = 16;

    private final Path file;
    private final Set<Long> sessions = new LinkedHashSet<>();

    SessionMemory(Path file) {
        this.file = file;
        try {
            if (Files.exists(file)) {
                for (String line : Files.readAllLines(file)) {
                    sessions.add(Long.parseUnsignedLong(line.trim(), 16));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Without the memory a restart still works when the address is the same.
            LOG.warn("cannot read {}: earlier ZooKeeper sessions of this broker are not known", file, e);
        }
    }

    boolean contains(long session) {
        return sessions.contains(session);
    }

    /** Called before the first node is created in the session, so that no node can exist that is not remembered. */
    void add(long session) {
        if (!sessions.add(session)) {
            return;
        }
        while (sessions.size() > KEPT) {
            sessions.remove(sessions.iterator().next());
        }
        List<String> lines = sessions.stream().map(Long::toHexString).toList();
        try {
            Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            Files.createDirectories(temporary.toAbsolutePath().getParent());
            Files.write(temporary, lines);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("cannot write {}: a restart must have the same address to replace this session's nodes", file, e);
        }
    }
}
