package io.metaq.client;

import io.metaq.client.MetaqException.Failure;
import io.metaq.client.net.NetworkFailure;
import io.metaq.protocol.Status;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Turns what the network and brokers say into exceptions that say who must act. */
final class Failures {

    private Failures() {}

    /** No answer. */
    static MetaqException network(
            String what, NetworkFailure failure, @Nullable BrokerAddress server, @Nullable TopicPartition partition) {
        boolean unknown = failure.maybeDone();
        return switch (failure.kind()) {
            case UNREACHABLE ->
                new BrokerUnavailableException(
                        new Failure(
                                what + ": the broker cannot be reached: " + failure.text() + "; is it running?",
                                server,
                                partition,
                                0,
                                true,
                                false),
                        failure.cause());
            case LOST ->
                new BrokerUnavailableException(
                        new Failure(
                                what + ": the connection broke: " + failure.text(),
                                server,
                                partition,
                                0,
                                true,
                                unknown),
                        failure.cause());
            case TIMED_OUT -> timeout(what, server, partition, unknown);
            case REFUSED ->
                new UnauthorizedException(
                        new Failure(
                                what + ": " + failure.text(),
                                server,
                                partition,
                                Status.UNAUTHORIZED.code(),
                                false,
                                false),
                        failure.cause());
            case CLOSED ->
                new ClientClosedException(
                        new Failure(what + ": the client is closed", server, partition, 0, false, false), null);
        };
    }

    static RequestTimeoutException timeout(
            String what, @Nullable BrokerAddress server, @Nullable TopicPartition partition, boolean unknown) {
        return new RequestTimeoutException(
                new Failure(
                        what + ": no answer in time; the broker is overloaded, frozen or cut off",
                        server,
                        partition,
                        Status.TIMEOUT.code(),
                        true,
                        unknown),
                null);
    }

    /** An answer that is not a success. */
    static MetaqException status(
            String what, int code, String text, @Nullable BrokerAddress server, @Nullable TopicPartition partition) {
        if (code == Status.FAILED.code() && text.contains("do not accept topic")) {
            return unknownTopic(partition == null ? what : partition.topic(), server, partition, code);
        }
        Status status = Status.of(code);
        boolean retriable = status != null && status.retriable();
        Failure failure = new Failure(
                what + ": " + (text.isBlank() ? "refused" : text),
                server,
                partition,
                code,
                retriable,
                code == Status.GATEWAY_TIMEOUT.code());
        TransactionException ofTransaction = TransactionException.of(text, failure);
        if (ofTransaction != null) {
            return ofTransaction;
        }
        return status == null ? new MetaqException(failure, null) : ofStatus(status, failure);
    }

    private static MetaqException ofStatus(Status status, Failure failure) {
        return switch (status) {
            case NOT_FOUND -> new TopicNotFoundException(failure, null);
            case FORBIDDEN -> new ForbiddenException(failure, null);
            case UNAUTHORIZED -> new UnauthorizedException(failure, null);
            case BAD_REQUEST, CONFLICT, TOO_LARGE -> new BadRequestException(failure, null);
            case BUSY, STORAGE_FULL, GATEWAY_TIMEOUT -> new BrokerBusyException(failure, null);
            case NOT_SUPPORTED -> new UnsupportedByBrokerException(failure, null);
            case TIMEOUT -> new RequestTimeoutException(failure, null);
            case OK, MOVED, FAILED -> new MetaqException(failure, null);
        };
    }

    /** Nobody publishes the topic. */
    static TopicNotFoundException unknownTopic(
            String topic, @Nullable BrokerAddress server, @Nullable TopicPartition partition, int code) {
        return new TopicNotFoundException(
                new Failure(
                        "topic " + topic + " is not published by any broker: create it with `metaq topic create "
                                + topic + "`",
                        server,
                        partition,
                        code,
                        false,
                        false),
                null);
    }

    static UnsupportedByBrokerException needsModern(String what, @Nullable BrokerAddress server) {
        return new UnsupportedByBrokerException(
                new Failure(
                        what + " needs a broker of version 2 or later, this one speaks the 1.4 protocol",
                        server,
                        null,
                        Status.NOT_SUPPORTED.code(),
                        false,
                        false),
                null);
    }

    static TopicNotFoundException noPartition(String topic, int partition) {
        return new TopicNotFoundException(
                new Failure(
                        "no broker has partition " + partition + " of topic " + topic + ": see `metaq topic describe "
                                + topic + "`",
                        null,
                        null,
                        Status.NOT_FOUND.code(),
                        false,
                        false),
                null);
    }

    static BrokerUnavailableException noBroker(@Nullable BrokerAddress server) {
        return new BrokerUnavailableException(
                new Failure("no broker is known or answers; is it running?", server, null, 0, true, false), null);
    }

    /** @param nextOffset where to go on, -1 if the header cannot be trusted */
    static CorruptMessageException corrupt(
            String what, BrokerAddress server, TopicPartition partition, long offset, long nextOffset) {
        return new CorruptMessageException(
                new Failure(
                        what + " at offset " + offset + ": check the broker's disk, see `metaq log verify`",
                        server,
                        partition,
                        0,
                        false,
                        false),
                offset,
                nextOffset);
    }

    static MetaqException local(String text) {
        return new MetaqException(new Failure(text, null, null, 0, false, false), null);
    }

    /** For logs: the kind and the text, without a stack. */
    static String brief(Throwable wrapped) {
        Throwable cause = wrapped.getCause();
        Throwable failure = wrapped instanceof CompletionException && cause != null ? cause : wrapped;
        return failure.getClass().getSimpleName().toLowerCase(Locale.ROOT).replace("exception", "") + ": "
                + failure.getMessage();
    }
}
