package io.metaq.tck.transaction;

import java.util.ArrayList;
import java.util.List;

/**
 * Who is killed, where.
 *
 * @param brokerFirst in which order the coordinator comes to the resources
 * @param point where the transaction is stopped
 * @param fault what happens there
 */
record Crash(boolean brokerFirst, Point point, Fault fault) {

    enum Fault {
        /** The broker goes on. */
        APPLICATION(""),
        BOTH(""),
        /** The application goes on, with the broker that is started at once. */
        BROKER(""),
        /** From there on the broker dies at its first sync: of the record of prepare. */
        BROKER_AT_SYNC_1("fdatasync,fsync:signal=SIGKILL:when=1"),
        /** And at its second one: the record of commit is written, and the answer is not. */
        BROKER_AT_SYNC_2("fdatasync,fsync:signal=SIGKILL:when=2"),
        BROKER_AT_WRITE_1("pwrite64,pwritev:signal=SIGKILL:when=1"),
        BROKER_AT_WRITE_2("pwrite64,pwritev:signal=SIGKILL:when=2");

        private final String injection;

        Fault(String injection) {
            this.injection = injection;
        }

        /** What strace does to the broker; empty: nothing. */
        String injection() {
            return injection;
        }

        boolean killsApplication() {
            return this == APPLICATION || this == BOTH;
        }
    }

    /** What is in doubt after the application was killed there: branches at the broker and in the database. */
    String doubt() {
        int first = between(Point.AFTER_PREPARE_1, Point.AFTER_COMMIT_1);
        int second = between(Point.AFTER_PREPARE_2, Point.AFTER_COMMIT_2);
        return brokerFirst ? first + " " + second : second + " " + first;
    }

    private int between(Point from, Point before) {
        return point.compareTo(from) >= 0 && point.compareTo(before) < 0 ? 1 : 0;
    }

    /** All of them. */
    static List<Crash> all() {
        List<Crash> all = new ArrayList<>();
        for (boolean brokerFirst : new boolean[] {true, false}) {
            for (Fault fault : Fault.values()) {
                for (Point point : Point.values()) {
                    if (fault.injection().isEmpty() || point == Point.WORKED) {
                        all.add(new Crash(brokerFirst, point, fault));
                    }
                }
            }
        }
        return all;
    }

    /** One for each thing that can be different. */
    static List<Crash> dozen() {
        return List.of(
                new Crash(true, Point.BEFORE_PREPARE_1, Fault.BROKER),
                new Crash(true, Point.AFTER_PREPARE_1, Fault.BROKER),
                new Crash(true, Point.BEFORE_COMMIT_1, Fault.BROKER),
                new Crash(false, Point.BEFORE_COMMIT_2, Fault.BROKER),
                new Crash(true, Point.WORKED, Fault.BROKER_AT_SYNC_1),
                new Crash(false, Point.WORKED, Fault.BROKER_AT_SYNC_2),
                new Crash(true, Point.WORKED, Fault.BOTH),
                new Crash(true, Point.AFTER_PREPARE_1, Fault.BOTH),
                new Crash(true, Point.AFTER_PREPARE_2, Fault.APPLICATION),
                new Crash(true, Point.BEFORE_COMMIT_1, Fault.BOTH),
                new Crash(true, Point.AFTER_COMMIT_1, Fault.APPLICATION),
                new Crash(false, Point.BEFORE_COMMIT_2, Fault.BOTH));
    }

    @Override
    public String toString() {
        return "%s killed %s, %s first".formatted(fault, point, brokerFirst ? "broker" : "rows");
    }
}
