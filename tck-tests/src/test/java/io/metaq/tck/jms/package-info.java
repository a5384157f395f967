/**
 * Jakarta Messaging 3.1, section by section, by its API alone against a real broker. Each test says which section of the
 * specification, or which of our rules for a provider over a log, it is about; {@link io.metaq.tck.jms.CoverageTest} sees that
 * none is left out.
 */
@NullMarked
package io.metaq.tck.jms;

import org.jspecify.annotations.NullMarked;
