/** The only door to the disk: everything that MetaQ stores goes through {@link io.metaq.log.file.Storage}. */
@NullMarked
package io.metaq.log.file;

import org.jspecify.annotations.NullMarked;
