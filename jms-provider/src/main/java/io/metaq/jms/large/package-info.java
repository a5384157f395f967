/** Bodies that are too large for one message, stored in chunks and streamed. */
@NullMarked
package io.metaq.jms.large;

import org.jspecify.annotations.NullMarked;
