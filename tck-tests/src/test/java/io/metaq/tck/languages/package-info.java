/** Applications in several languages with one broker: what one sends another receives, and none loses anything when the broker is killed. */
@NullMarked
package io.metaq.tck.languages;

import org.jspecify.annotations.NullMarked;
