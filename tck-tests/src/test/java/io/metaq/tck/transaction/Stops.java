package io.metaq.tck.transaction;

import java.io.IOException;

/** Waits at a point of a transaction until the test says go on, if that is how it goes on. */
@FunctionalInterface
interface Stops {
    void at(Point point) throws IOException;
}
