/** What old and new members share in ZooKeeper. */
@NullMarked
package io.metaq.tck.zookeeper;

import org.jspecify.annotations.NullMarked;
