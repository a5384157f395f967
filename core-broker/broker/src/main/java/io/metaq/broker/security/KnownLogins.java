package io.metaq.broker.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Passwords that were found right, so that a thousand connections of one user cost one stretched hash. What is kept is a digest of
 * name, password and stored hash under a key that never leaves this process: a new password, or a removed user, is another
 * digest, and a dump of the memory gives no password away more cheaply than the file does together with the key.
 */
final class KnownLogins {
    private static final String HMAC = "HmacSHA256";
    private static final int MOST = 1_000;

    private final SecretKeySpec key;
    private final Set<ByteBuffer> known =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Boolean> eldest) {
                    return size() > MOST;
                }
            }));

    KnownLogins() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        key = new SecretKeySpec(secret, HMAC);
    }

    boolean contains(String name, String password, PasswordHash stored) {
        return known.contains(digest(name, password, stored));
    }

    void add(String name, String password, PasswordHash stored) {
        known.add(digest(name, password, stored));
    }

    private ByteBuffer digest(String name, String password, PasswordHash stored) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            for (String part : new String[] {name, password, stored.text()}) {
                byte[] bytes = part.getBytes(UTF_8);
                // With their lengths, so that no two logins run together to the same bytes.
                mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
                mac.update(bytes);
            }
            return ByteBuffer.wrap(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + HMAC, e);
        }
    }
}
