/**
 * The broker's configuration: one INI file in the form of MetaQ 1.4, checked whole before anything starts.
 *
 * <p>{@link io.metaq.broker.config.Settings} declares every key with its default and what it means;
 * {@link io.metaq.broker.config.BrokerConfig} is the checked result, immutable and shared freely between threads.
 */
@NullMarked
package io.metaq.broker.config;

import org.jspecify.annotations.NullMarked;
