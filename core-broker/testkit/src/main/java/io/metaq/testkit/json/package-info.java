/** JSON for tests: the vectors that are JSON, and programs in other languages that a test talks to. */
@NullMarked
package io.metaq.testkit.json;

import org.jspecify.annotations.NullMarked;
