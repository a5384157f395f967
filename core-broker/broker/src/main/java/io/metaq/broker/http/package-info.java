/**
 * HTTP for those who have no client: requests become those of the text protocol, and go to its handlers by a session like any
 * other.
 */
@NullMarked
package io.metaq.broker.http;

import org.jspecify.annotations.NullMarked;
