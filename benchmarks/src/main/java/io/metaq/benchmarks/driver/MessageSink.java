package io.metaq.benchmarks.driver;

import java.nio.ByteBuffer;

/** Takes received bodies, from one thread at a time. The buffer is not kept: peers pass what needs no copy. */
@FunctionalInterface
public interface MessageSink {
    void accept(ByteBuffer body);
}
