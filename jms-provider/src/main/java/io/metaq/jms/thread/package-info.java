/** The threads of a connection besides those of its sessions: each exists only when it has something to do, all end with the connection. */
@NullMarked
package io.metaq.jms.thread;

import org.jspecify.annotations.NullMarked;
