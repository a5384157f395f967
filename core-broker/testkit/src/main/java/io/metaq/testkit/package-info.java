@NullMarked
package io.metaq.testkit;

import org.jspecify.annotations.NullMarked;
