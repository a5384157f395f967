package io.metaq.protocol.codec;

import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request.Admin;
import io.metaq.protocol.Status;
import io.metaq.protocol.Verb;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code topic|group|subscription|tx OPERATION NAME OPQ [key=value…]}. Only names of subscriptions are percent-encoded. */
final class AdminParser {
    private AdminParser() {}

    static Admin parse(Verb family, Tokens t) {
        RequestParser.counted(t, 4, Integer.MAX_VALUE, family.word() + " OPERATION NAME OPQ [options]");
        if (t.isEmpty(2)) {
            throw new ProtocolException(Status.BAD_REQUEST, "two spaces where one separates");
        }
        int opaque = t.integer(3);
        AdminOperation operation = AdminOperation.of(family, t.text(1));
        if (operation == null) {
            throw new RejectedOptionException("unknown operation '" + family.word() + " " + t.printable(1) + "'");
        }
        String name = family == Verb.SUBSCRIPTION ? Options.decoded(t.text(2)) : t.text(2);
        return new Admin(operation, name, opaque, options(operation, t));
    }

    private static Map<String, String> options(AdminOperation operation, Tokens t) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 4; i < t.count(); i++) {
            if (!t.isOption(i)) {
                throw new RejectedOptionException("'" + t.printable(i) + "' is not of the form key=value");
            }
            int equals = t.indexOf(i, '=');
            String key = t.text(t.start(i), equals);
            if (!operation.takes(key)) {
                throw Options.unknown(t, i, String.join(", ", operation.options()));
            }
            if (options.put(key, Options.decoded(t.text(equals + 1, t.end(i)))) != null) {
                throw new RejectedOptionException("option " + key + " is given twice");
            }
        }
        return Collections.unmodifiableMap(options);
    }
}
