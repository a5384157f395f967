package io.metaq.client.subscription;

import io.metaq.protocol.AttachKind;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer is to be attached to.
 *
 * @param name the subscription's name
 * @param topic the queue or topic behind it
 * @param kind what it is
 * @param selector in the syntax of JMS, null for none
 * @param noLocal whether messages whose origin is {@code origin} are left out
 * @param origin what this connection's messages carry as their origin, null if nothing
 */
public record Attachment(
        String name,
        String topic,
        AttachKind kind,
        @Nullable String selector,
        boolean noLocal,
        @Nullable String origin) {}
