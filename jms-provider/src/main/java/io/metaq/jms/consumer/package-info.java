/** How messages come to a consumer: credit, the buffer in front of the application, receive, browse. */
@NullMarked
package io.metaq.jms.consumer;

import org.jspecify.annotations.NullMarked;
