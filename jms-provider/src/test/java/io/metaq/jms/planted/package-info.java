/** What the architecture test must find. */
@NullMarked
package io.metaq.jms.planted;

import org.jspecify.annotations.NullMarked;
