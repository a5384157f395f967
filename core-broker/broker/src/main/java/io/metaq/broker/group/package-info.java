/** Membership of consumer groups for clients that do without ZooKeeper: who consumes which partition. */
@NullMarked
package io.metaq.broker.group;

import org.jspecify.annotations.NullMarked;
