package io.metaq.benchmarks.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The life of a driver process: says {@code @ready}, then answers every job line from standard input with one line,
 * {@code @figures key=value ...} or {@code @failed text}. Ends when standard input does. Lines of its output that do not
 * begin with {@code @} are some library's and mean nothing.
 */
public final class Driver {

    /** Does one job. */
    @FunctionalInterface
    public interface Work {
        Map<String, Object> run(Job job) throws Exception;
    }

    private final Work work;
    private final BufferedReader jobs;
    private final PrintStream out;
    private final PrintStream log;

    Driver(Work work, BufferedReader jobs, PrintStream out, PrintStream log) {
        this.work = work;
        this.jobs = jobs;
        this.out = out;
        this.log = log;
    }

    /** Serves until standard input ends, then ends the process: the libraries of some peers leave threads behind. */
    public static void serve(Peer peer) throws Exception {
        serve(job -> run(peer, job));
        peer.close();
        System.exit(0);
    }

    /** Runs the job's workload over a peer. */
    public static Map<String, Object> run(Peer peer, Job job) throws Exception {
        return Workload.named(job.workload()).run(peer, job);
    }

    /** Serves until standard input ends. */
    public static void serve(Work work) throws IOException {
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        new Driver(work, jobs, System.out, System.err).run();
    }

    void run() throws IOException {
        say("@ready");
        for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
            if (!line.isBlank()) {
                say(answer(line));
            }
        }
    }

    private String answer(String line) {
        try {
            return "@figures " + KeyValueLine.format(work.run(Job.parse(line)));
        } catch (Exception | LinkageError failure) {
            failure.printStackTrace(log);
            return "@failed " + String.valueOf(failure).replaceAll("\\s+", " ");
        }
    }

    private synchronized void say(String line) throws IOException {
        out.println(line);
        out.flush();
        if (out.checkError()) {
            throw new IOException("the coordinator is gone");
        }
    }
}
