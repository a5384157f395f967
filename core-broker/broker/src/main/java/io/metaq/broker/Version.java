package io.metaq.broker;

/** The version of this broker, as clients are told. */
final class Version {
    /** From the artifact; {@code 2.0.0} when run from class files. */
    static final String TEXT = text();

    private Version() {}

    private static String text() {
        String artifact = Version.class.getPackage().getImplementationVersion();
        return artifact == null ? "2.0.0" : artifact;
    }
}
