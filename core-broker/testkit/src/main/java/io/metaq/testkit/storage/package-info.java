/** A disk in memory that forgets what was not synced, tears writes, fails and fills up on demand. */
@NullMarked
package io.metaq.testkit.storage;

import org.jspecify.annotations.NullMarked;
