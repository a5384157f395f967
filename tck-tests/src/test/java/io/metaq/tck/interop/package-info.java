/** The original MetaQ 1.4.6.2 and ours, paired both ways, and the wire byte for byte. */
@NullMarked
package io.metaq.tck.interop;

import org.jspecify.annotations.NullMarked;
