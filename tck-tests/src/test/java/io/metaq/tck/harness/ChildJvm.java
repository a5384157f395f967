package io.metaq.tck.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of Java programs that end when the test's own process does. */
public final class ChildJvm {
    private ChildJvm() {}

    /** A main on a class path; {@code options} go to the JVM. */
    public static List<String> command(String classPath, List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.add("-Djava.net.preferIPv4Stack=true");
        command.addAll(options);
        command.add("-cp");
        command.add(classPath);
        command.add(main);
        command.addAll(arguments);
        return command;
    }

    /** The class path of this test run: under Surefire the system property is only a jar that points to it. */
    public static String ownClassPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
