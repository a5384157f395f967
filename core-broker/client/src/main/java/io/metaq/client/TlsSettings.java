package io.metaq.client;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How connections to brokers are encrypted. Key stores are PKCS12, or JKS if their name ends in {@code .jks}.
 *
 * @param trustStore certificates that are trusted; null for those that the JDK trusts
 * @param trustStorePassword null for none
 * @param keyStore the client's own key and certificate, for brokers that ask for one; null for none
 * @param keyStorePassword null for none
 * @param verifyHost whether the broker's certificate has to name the host connected to
 */
public record TlsSettings(
        @Nullable Path trustStore,
        @Nullable String trustStorePassword,
        @Nullable Path keyStore,
        @Nullable String keyStorePassword,
        boolean verifyHost) {

    /** Trusts what the JDK trusts, and verifies the host. */
    public static TlsSettings ofSystem() {
        return new TlsSettings(null, null, null, null, true);
    }

    /** Trusts the certificates in a store, and verifies the host. */
    public static TlsSettings trusting(Path store, String password) {
        return new TlsSettings(store, password, null, null, true);
    }

    /** Passwords are not shown. */
    @Override
    public String toString() {
        return "TlsSettings[trustStore=" + trustStore + ", keyStore=" + keyStore + ", verifyHost=" + verifyHost + "]";
    }

    SslContext context() {
        try {
            SslContextBuilder context = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            if (trustStore != null) {
                TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(load(trustStore, trustStorePassword));
                context.trustManager(trust);
            }
            if (keyStore != null) {
                KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                keys.init(load(keyStore, keyStorePassword), characters(keyStorePassword));
                context.keyManager(keys);
            }
            return context.endpointIdentificationAlgorithm(verifyHost ? "HTTPS" : "")
                    .build();
        } catch (GeneralSecurityException | SSLException e) {
            throw new IllegalArgumentException("TLS cannot be set up with " + this + ": " + e.getMessage(), e);
        }
    }

    private static KeyStore load(Path file, @Nullable String password) throws GeneralSecurityException {
        boolean java = file.toString().toLowerCase(Locale.ROOT).endsWith(".jks");
        KeyStore store = KeyStore.getInstance(java ? "JKS" : "PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, characters(password));
        } catch (IOException e) {
            throw new IllegalArgumentException("the key store " + file + " cannot be read: " + e.getMessage(), e);
        }
        return store;
    }

    private static char @Nullable [] characters(@Nullable String password) {
        return password == null ? null : password.toCharArray();
    }
}
