/** Connection factories and destinations in naming services: our own context, made of properties, and our part in those of others. */
@NullMarked
package io.metaq.jms.jndi;

import org.jspecify.annotations.NullMarked;
