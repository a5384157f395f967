package io.metaq.client.subscription;

import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import java.util.Map;

/** The calls that make and delete destinations and subscriptions. */
final class DestinationCalls {
    private DestinationCalls() {}

    static Call createTemporary(String name, boolean queue) {
        return Call.repeated("making " + name, opaque -> temporaryRequest(name, queue, opaque));
    }

    static Request temporaryRequest(String name, boolean queue, int opaque) {
        Map<String, String> kind = Map.of("kind", queue ? "temporary-queue" : "temporary-topic");
        return new Request.Admin(AdminOperation.TOPIC_CREATE, name, opaque, kind);
    }

    static Call delete(String name) {
        return admin(AdminOperation.TOPIC_DELETE, name, Map.of()).forgivingWhenRepeated(Status.NOT_FOUND.code());
    }

    static Call ensure(String name, boolean queue) {
        return admin(AdminOperation.TOPIC_CREATE, name, Map.of("kind", queue ? "queue" : "topic", "ensure", "true"));
    }

    static Call deleteSubscription(String name) {
        return admin(AdminOperation.SUBSCRIPTION_DELETE, name, Map.of()).forgivingWhenRepeated(Status.NOT_FOUND.code());
    }

    private static Call admin(AdminOperation operation, String name, Map<String, String> options) {
        return Call.repeated(
                operation.family().word() + " " + operation.word() + " " + name,
                opaque -> new Request.Admin(operation, name, opaque, options));
    }
}
