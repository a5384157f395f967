/** The JORAM conformance suite against a broker in the tests' own process. */
@NullMarked
package io.metaq.tck.joram;

import org.jspecify.annotations.NullMarked;
