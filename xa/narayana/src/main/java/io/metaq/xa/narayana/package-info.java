/** Recovery by Narayana: of branches that are prepared at the broker when their application, or its connection, is gone. */
@NullMarked
package io.metaq.xa.narayana;

import org.jspecify.annotations.NullMarked;
