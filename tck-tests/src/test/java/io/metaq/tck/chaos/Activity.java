package io.metaq.tck.chaos;

import java.util.Random;

/** What one thread does until it is to end. */
@FunctionalInterface
interface Activity {

    void run(Random random, Ending ending);

    /** Asked often: sending ends first, so that receivers can empty the queues. */
    interface Ending {
        boolean sendingIsOver();

        boolean allIsOver();
    }
}
