/** Connection options as text: URIs, and the nearest name for one that is not known. */
@NullMarked
package io.metaq.jms.uri;

import org.jspecify.annotations.NullMarked;
