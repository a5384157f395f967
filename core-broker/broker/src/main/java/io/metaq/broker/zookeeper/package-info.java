/**
 * ZooKeeper as the broker sees it: the 1.4 registration tree through which clients find this broker, and a small server
 * for a broker that brings its own. No other package of this module knows Curator or ZooKeeper.
 */
@NullMarked
package io.metaq.broker.zookeeper;

import org.jspecify.annotations.NullMarked;
