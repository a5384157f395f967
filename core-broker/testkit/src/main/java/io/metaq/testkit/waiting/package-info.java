/** How long tests wait. */
@NullMarked
package io.metaq.testkit.waiting;

import org.jspecify.annotations.NullMarked;
