@NullMarked
package io.metaq.log;

import org.jspecify.annotations.NullMarked;
