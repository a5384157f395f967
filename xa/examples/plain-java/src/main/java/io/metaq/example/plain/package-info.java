/** Queues and a database in one transaction, with Narayana and nothing else. */
@NullMarked
package io.metaq.example.plain;

import org.jspecify.annotations.NullMarked;
