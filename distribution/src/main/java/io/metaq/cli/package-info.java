/**
 * The command line {@code metaq}. One class for each command; what commands share is beside them. Everything a command reads
 * or writes goes through a {@link io.metaq.cli.Terminal}, so that tests run commands in their own process.
 */
@NullMarked
package io.metaq.cli;

import org.jspecify.annotations.NullMarked;
