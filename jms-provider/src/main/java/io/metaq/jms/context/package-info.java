/** The simplified API: contexts, their producers and consumers, over connections and sessions. */
@NullMarked
package io.metaq.jms.context;

import org.jspecify.annotations.NullMarked;
