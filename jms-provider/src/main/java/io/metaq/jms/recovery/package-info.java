/** XAResources for recovery: they outlive connections and processes, and connect when they are asked something. */
@NullMarked
package io.metaq.jms.recovery;

import org.jspecify.annotations.NullMarked;
