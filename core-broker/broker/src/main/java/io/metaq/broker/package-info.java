@NullMarked
package io.metaq.broker;

import org.jspecify.annotations.NullMarked;
