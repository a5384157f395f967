/** Connections: who they are, what belongs to them, and how all of it ends. */
@NullMarked
package io.metaq.jms.connection;

import org.jspecify.annotations.NullMarked;
