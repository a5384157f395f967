/** Real processes for the tests: our broker, the originals, the wire as bytes, file systems that fail, and the checker. */
@NullMarked
package io.metaq.tck.harness;

import org.jspecify.annotations.NullMarked;
