/** What can be set on a connection, in one table, and the values that are set. */
@NullMarked
package io.metaq.jms.option;

import org.jspecify.annotations.NullMarked;
