@NullMarked
package io.metaq.state;

import org.jspecify.annotations.NullMarked;
