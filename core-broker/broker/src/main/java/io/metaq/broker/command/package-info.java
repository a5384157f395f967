/** What each command does: one handler per family of commands. */
@NullMarked
package io.metaq.broker.command;

import org.jspecify.annotations.NullMarked;
