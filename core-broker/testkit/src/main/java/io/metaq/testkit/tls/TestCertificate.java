package io.metaq.testkit.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A key with a certificate that signs itself, for {@code localhost} and {@code 127.0.0.1}, in files of PKCS12.
 *
 * @param keyStore key and certificate
 * @param trustStore the certificate alone
 * @param password of both
 */
public record TestCertificate(Path keyStore, Path trustStore, String password) {
    private static final String PASSWORD = "changeit";

    /** Makes one by the JDK's keytool; {@code name} tells its files from others in the directory. */
    public static TestCertificate make(Path directory, String name) {
        TestCertificate made = new TestCertificate(
                directory.resolve(name + "-key.p12"), directory.resolve(name + "-trust.p12"), PASSWORD);
        try {
            made.generateKey(name);
            made.writeTrustStore(name);
            return made;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate could be made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a certificate was made", e);
        }
    }

    private void generateKey(String name) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-dname",
                        "CN=" + name,
                        "-validity",
                        "2",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        keyStore.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + said);
        }
    }

    private void writeTrustStore(String name) throws IOException, GeneralSecurityException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry(name, load(keyStore).getCertificate(name));
        try (OutputStream out = Files.newOutputStream(trustStore)) {
            trust.store(out, PASSWORD.toCharArray());
        }
    }

    /** What a client needs that trusts this certificate and shows none. */
    public SSLContext trustingContext() {
        return context(null);
    }

    /** What a client needs that trusts this certificate and shows another. */
    public SSLContext trustingContext(TestCertificate shown) {
        return context(shown);
    }

    private SSLContext context(@Nullable TestCertificate shown) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(trustStore));
            SSLContext context = SSLContext.getInstance("TLS");
            if (shown == null) {
                context.init(null, trust.getTrustManagers(), null);
            } else {
                KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                keys.init(load(shown.keyStore), PASSWORD.toCharArray());
                context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            }
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("the certificate cannot be used", e);
        }
    }

    /** The certificate as text, as programs in other languages take it. */
    public String pem() {
        try {
            KeyStore store = load(trustStore);
            byte[] encoded = store.getCertificate(store.aliases().nextElement()).getEncoded();
            return "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
                    + "\n-----END CERTIFICATE-----\n";
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("the certificate cannot be read", e);
        }
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
