/** What a journal record of the broker says: the message record and the changes, with their bytes (docs/log-format.md). */
@NullMarked
package io.metaq.state.record;

import org.jspecify.annotations.NullMarked;
