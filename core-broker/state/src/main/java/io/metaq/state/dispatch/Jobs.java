package io.metaq.state.dispatch;

import java.util.ArrayList;
import java.util.List;

/** What operators asked for and is not done yet. */
final class Jobs {
    private final List<Job> jobs = new ArrayList<>();

    void add(Job job) {
        jobs.add(job);
    }

    boolean isEmpty() {
        return jobs.isEmpty();
    }

    /** Goes on with each; true if there is more to do at once. */
    boolean work(Budget budget, long nowMs) {
        boolean more = false;
        for (Job job : List.copyOf(jobs)) {
            budget.renew();
            job.step(budget, nowMs);
            more |= job.canStep();
        }
        jobs.removeIf(Job::finished);
        return more;
    }
}
