/** What a broker does by itself now and then: retention, a look at the disk, forgetting producers and members. */
@NullMarked
package io.metaq.broker.upkeep;

import org.jspecify.annotations.NullMarked;
