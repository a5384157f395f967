package io.metaq.tck.jms;

/** What providers over a log get wrong. The numbers are those of {@link Covers#rules()}. */
enum ProviderRule {
    STOPPED_CONNECTION_HOLDS_NOTHING(1),
    QUEUES_ARE_PER_MESSAGE(2),
    ORDER_OF_A_SESSION(3),
    SELECTORS_IN_THE_BROKER(4),
    DURABLE_SUBSCRIPTION_IS_THE_BROKERS(5),
    UNSHARED_DURABLE_IS_MADE_ANEW(6),
    SHARED_NAMES(7),
    CLIENT_ID_AND_NO_LOCAL(8),
    UNSUBSCRIBE(9),
    SET_CLIENT_ID(10),
    DELAY_AND_LATER_SUBSCRIBERS(11),
    DELIVERY_COUNT(12),
    PRIORITY(13),
    EXPIRATION(14),
    DELIVERY_DELAY(15),
    HEADERS_OF_THE_SENT_MESSAGE(16),
    FOREIGN_MESSAGES(17),
    REPLY_TO(18),
    PROPERTY_CONVERSION(19),
    BODY_CONVERSION(20),
    READING_STREAMS(21),
    BODY_ACCESS(22),
    OBJECT_MESSAGES(23),
    COMPLETION_LISTENERS(24),
    CLOSE_IN_A_LISTENER(25),
    LISTENERS_ONE_AT_A_TIME(26),
    STOP_AND_CLOSE(27),
    UNACKNOWLEDGED_AT_CLOSE(28),
    CLIENT_ACKNOWLEDGE(29),
    RECEIVE_NO_WAIT(30),
    CONTEXTS(31),
    TEMPORARY_DESTINATIONS(32),
    BROWSERS(33),
    DESTINATION_ARGUMENTS(34),
    DOMAINS(35),
    META_DATA(36);

    private final int number;

    ProviderRule(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
