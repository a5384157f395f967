/** The official Jakarta Messaging TCK, with a broker in each of its processes. */
@NullMarked
package io.metaq.tck.jakarta;

import org.jspecify.annotations.NullMarked;
