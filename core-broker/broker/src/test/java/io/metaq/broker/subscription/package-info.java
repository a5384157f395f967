@NullMarked
package io.metaq.broker.subscription;

import org.jspecify.annotations.NullMarked;
