package io.metaq.broker.security;

import io.metaq.broker.config.TlsSection;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** What the broker shows of itself by TLS, and what it wants to see of its clients. The JDK's own TLS: no native library. */
public final class TlsContext {
    private TlsContext() {}

    /** @throws IOException if a key store cannot be used; the message names the key of the configuration */
    public static SslContext of(TlsSection tls) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(keys(tls.keyStore()))
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .clientAuth(clientAuth(tls.clientAuth()));
            if (tls.trustStore().given()) {
                builder.trustManager(trust(tls.trustStore()));
            }
            return builder.build();
        } catch (SSLException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static ClientAuth clientAuth(String word) {
        return switch (word) {
            case "need" -> ClientAuth.REQUIRE;
            case "want" -> ClientAuth.OPTIONAL;
            default -> ClientAuth.NONE;
        };
    }

    private static KeyManagerFactory keys(TlsSection.Store store) throws IOException {
        char[] password = store.password();
        try {
            KeyStore keys = load(store, password);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password);
            return factory;
        } catch (GeneralSecurityException e) {
            throw unusable(store, e);
        } finally {
            Arrays.fill(password, ' ');
        }
    }

    private static TrustManagerFactory trust(TlsSection.Store store) throws IOException {
        char[] password = store.password();
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(load(store, password));
            return factory;
        } catch (GeneralSecurityException e) {
            throw unusable(store, e);
        } finally {
            Arrays.fill(password, ' ');
        }
    }

    private static KeyStore load(TlsSection.Store store, char[] password) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.type());
        try (InputStream in = Files.newInputStream(store.file())) {
            keys.load(in, password);
        } catch (IOException e) {
            // A wrong password is an IOException too.
            throw unusable(store, e);
        }
        return keys;
    }

    private static IOException unusable(TlsSection.Store store, Exception cause) {
        return new IOException(
                store + " cannot be used: " + cause.getMessage() + "; check the file, its type and its password",
                cause);
    }
}
