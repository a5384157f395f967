/** Killed processes, cut power, failing and full disks, damaged files. */
@NullMarked
package io.metaq.tck.crash;

import org.jspecify.annotations.NullMarked;
