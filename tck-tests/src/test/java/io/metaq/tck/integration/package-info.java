/** The provider in the hands of frameworks that use it. */
@NullMarked
package io.metaq.tck.integration;

import org.jspecify.annotations.NullMarked;
