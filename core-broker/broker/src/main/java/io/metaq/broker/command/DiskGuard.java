package io.metaq.broker.command;

import java.util.function.BooleanSupplier;

/** Whether messages may be taken, as far as the disk is concerned. */
@FunctionalInterface
public interface DiskGuard {
    /** True while the disk is too full. */
    boolean refuses();

    /** Either reason is enough. */
    default DiskGuard or(BooleanSupplier other) {
        return () -> refuses() || other.getAsBoolean();
    }
}
