/** The Java client against real brokers: ours and the original. */
package io.metaq.tck.client;
