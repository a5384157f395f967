/** Partition logs: the messages of one partition, on disk in the very bytes that go over the wire. */
@NullMarked
package io.metaq.log.partition;

import org.jspecify.annotations.NullMarked;
