@NullMarked
package io.metaq.state.dispatch;

import org.jspecify.annotations.NullMarked;
