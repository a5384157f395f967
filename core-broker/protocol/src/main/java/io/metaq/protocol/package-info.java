@NullMarked
package io.metaq.protocol;

import org.jspecify.annotations.NullMarked;
