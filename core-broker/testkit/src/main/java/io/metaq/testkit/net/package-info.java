/** Networks that misbehave on demand. */
@NullMarked
package io.metaq.testkit.net;

import org.jspecify.annotations.NullMarked;
