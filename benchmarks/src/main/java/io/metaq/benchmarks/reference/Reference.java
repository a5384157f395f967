package io.metaq.benchmarks.reference;

import io.metaq.benchmarks.driver.Driver;
import io.metaq.benchmarks.driver.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A driver without a broker. Argument: a directory on the disk that the brokers use. */
final class Reference {

    private Reference() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        Driver.serve(job -> run(directory, job));
    }

    private static Map<String, Object> run(Path directory, Job job) throws Exception {
        String workload = job.workload();
        if (workload.equals("drain")) {
            return new BareTransfer(directory).run(job);
        }
        if (workload.startsWith("sync")) {
            return new BareSync(directory).run(job);
        }
        throw new IllegalArgumentException("no reference for " + workload);
    }
}
