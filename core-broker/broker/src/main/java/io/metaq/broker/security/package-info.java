/** Users and their passwords: the file that keeps them, and the check of a login off the event loops. */
@NullMarked
package io.metaq.broker.security;

import org.jspecify.annotations.NullMarked;
