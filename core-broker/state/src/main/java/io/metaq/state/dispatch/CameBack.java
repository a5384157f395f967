package io.metaq.state.dispatch;

/**
 * A message that is pending again.
 *
 * @param nextDelivery which delivery the next one will be
 * @param notBeforeMs when it may be delivered, milliseconds since 1970; 0 for at once
 * @param dead it failed too often: it is to be moved, not delivered
 */
record CameBack(int nextDelivery, long notBeforeMs, int priority, boolean dead) {}
