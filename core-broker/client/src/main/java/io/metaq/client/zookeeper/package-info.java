/**
 * Brokers, groups and offsets as MetaQ 1.4 keeps them in ZooKeeper, so that old and new clients share them. Found by
 * {@link java.util.ServiceLoader} when an application asks for ZooKeeper; no other package of this module knows it.
 */
@NullMarked
package io.metaq.client.zookeeper;

import org.jspecify.annotations.NullMarked;
