/** Certificates for tests, made while they run. */
@NullMarked
package io.metaq.testkit.tls;

import org.jspecify.annotations.NullMarked;
