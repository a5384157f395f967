@NullMarked
package io.metaq.broker.http;

import org.jspecify.annotations.NullMarked;
