package io.metaq.log.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;

/** Breaks two rules of the architecture on purpose: the test of the rules must notice. */
public final class OpensAFileItself {

    private OpensAFileItself() {}

    public static long size(Path path) throws IOException {
        long size = Files.size(path);
        Assertions.assertThat(size).isNotNegative();
        return size;
    }
}
