package io.metaq.cli;

import java.nio.file.Path;
import java.util.Arrays;

/** A file on its way through the broker: what was sent of it, and what came back. */
final class DemoFile {
    private final String name;
    private final Path path;
    private final Sum sent = new Sum();
    private final Sum received = new Sum();

    DemoFile(String name, Path path) {
        this.name = name;
        this.path = path;
    }

    String name() {
        return name;
    }

    Path path() {
        return path;
    }

    Sum sent() {
        return sent;
    }

    Sum received() {
        return received;
    }

    /** Whether as many lines came back as were sent, and their bytes are the same; to be asked once, at the end. */
    boolean agrees() {
        return sent.lines() == received.lines() && Arrays.equals(sent.sha256(), received.sha256());
    }

    /** Lines in their order: how many, and the SHA-256 of their bytes. Used by one thread at a time. */
    static final class Sum {
        private final java.security.MessageDigest digest = sha256Digest();
        private long lines;
        private long bytes;

        void add(java.nio.ByteBuffer line) {
            lines++;
            bytes += line.remaining();
            digest.update(line);
        }

        long lines() {
            return lines;
        }

        long bytes() {
            return bytes;
        }

        private byte[] sha256() {
            return digest.digest();
        }

        private static java.security.MessageDigest sha256Digest() {
            try {
                return java.security.MessageDigest.getInstance("SHA-256");
            } catch (java.security.NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has SHA-256", e);
            }
        }
    }
}
