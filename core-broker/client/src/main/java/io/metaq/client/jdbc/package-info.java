/** Offsets in a database. The only package that uses {@code javax.sql} and {@code java.sql}; loaded only when an application uses it. */
@NullMarked
package io.metaq.client.jdbc;

import org.jspecify.annotations.NullMarked;
