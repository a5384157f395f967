package io.metaq.broker.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password, salted and stretched by PBKDF2 with HMAC-SHA-256, in the text form {@code pbkdf2-sha256:ITERATIONS:SALT:HASH} with
 * salt and hash in base64. The count stands in the text, so that it can grow without making old hashes worthless.
 */
final class PasswordHash {
    /** A tenth of a second on a machine of today, half a second where many brokers share two processors. */
    static final int ITERATIONS = 210_000;

    private static final String SCHEME = "pbkdf2-sha256";
    private static final int MIN_ITERATIONS = 1_000;
    /** More would let one line of the file keep a thread busy for minutes. */
    private static final int MAX_ITERATIONS = 100_000_000;

    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** Hashes a password with a salt of its own; takes a tenth of a second by intention. */
    static PasswordHash of(char[] password, int iterations) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return new PasswordHash(iterations, salt, stretch(password, salt, iterations));
    }

    /** A hash that no password fits, for the time that the check of one takes. */
    static PasswordHash ofNobody(int iterations) {
        byte[] salt = new byte[SALT_BYTES];
        byte[] hash = new byte[HASH_BYTES];
        RANDOM.nextBytes(salt);
        RANDOM.nextBytes(hash);
        return new PasswordHash(iterations, salt, hash);
    }

    /** @throws IllegalArgumentException if the text is no such hash; its message does not repeat the text */
    static PasswordHash parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4 || !parts[0].equals(SCHEME)) {
            throw new IllegalArgumentException("no hash of the form " + SCHEME + ":ITERATIONS:SALT:HASH");
        }
        int iterations = iterations(parts[1]);
        byte[] salt = Base64.getDecoder().decode(parts[2]);
        byte[] hash = Base64.getDecoder().decode(parts[3]);
        if (salt.length < SALT_BYTES || hash.length != HASH_BYTES) {
            throw new IllegalArgumentException("salt or hash is too short");
        }
        return new PasswordHash(iterations, salt, hash);
    }

    private static int iterations(String text) {
        try {
            int iterations = Integer.parseInt(text);
            if (iterations >= MIN_ITERATIONS && iterations <= MAX_ITERATIONS) {
                return iterations;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the number of iterations is no number", e);
        }
        throw new IllegalArgumentException(
                "the number of iterations is not from " + MIN_ITERATIONS + " to " + MAX_ITERATIONS);
    }

    int iterations() {
        return iterations;
    }

    /** Takes the same time whether the password fits or not, and wherever it differs. */
    boolean fits(char[] password) {
        return MessageDigest.isEqual(hash, stretch(password, salt, iterations));
    }

    private static byte[] stretch(char[] password, byte[] salt, int iterations) {
        PBEKeySpec spec = new PBEKeySpec(password, salt, iterations, HASH_BYTES * 8);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot hash passwords by PBKDF2WithHmacSHA256", e);
        } finally {
            spec.clearPassword();
        }
    }

    String text() {
        Base64.Encoder base64 = Base64.getEncoder();
        return SCHEME + ":" + iterations + ":" + base64.encodeToString(salt) + ":" + base64.encodeToString(hash);
    }

    /** Not the hash: it would help whoever reads a log. */
    @Override
    public String toString() {
        return SCHEME + ":" + iterations;
    }
}
