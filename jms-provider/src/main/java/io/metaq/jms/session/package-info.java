/** Sessions: acknowledgement, transactions, the thread of listeners, and the making of consumers, producers and browsers. */
@NullMarked
package io.metaq.jms.session;

import org.jspecify.annotations.NullMarked;
