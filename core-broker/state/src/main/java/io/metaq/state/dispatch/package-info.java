/**
 * Delivery: what becomes of the pending messages of one subscription while consumers are attached. Pure: time, effects
 * and consumers are given; one thread owns a dispatch and it is never locked.
 */
@NullMarked
package io.metaq.state.dispatch;

import org.jspecify.annotations.NullMarked;
