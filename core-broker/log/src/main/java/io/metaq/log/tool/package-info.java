/** What an operator does with the files of a broker that is down: verify, dump, salvage. */
@NullMarked
package io.metaq.log.tool;

import org.jspecify.annotations.NullMarked;
