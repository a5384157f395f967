/** Connection URIs. */
@NullMarked
package io.metaq.jms.uri;

import org.jspecify.annotations.NullMarked;
