@NullMarked
package io.metaq.client;

import org.jspecify.annotations.NullMarked;
