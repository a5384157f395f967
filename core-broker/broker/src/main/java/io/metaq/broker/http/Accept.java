package io.metaq.broker.http;

import io.metaq.protocol.Status;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The header Accept: what a client takes. Which of it it likes most is not looked at. */
final class Accept {
    private static final String ANYTHING = "*/*";

    private Accept() {}

    /**
     * A type that is named goes before one that is meant by a wildcard.
     *
     * @param header empty if there is none
     * @param offered what there is, the usual first
     * @throws HttpFailure by 406 if nothing of it is taken
     */
    static String choose(String header, List<String> offered) {
        Set<String> taken = taken(header);
        if (taken.isEmpty()) {
            return offered.get(0);
        }
        for (String type : offered) {
            if (taken.contains(type) && !type.equals(ANYTHING)) {
                return type;
            }
        }
        for (String type : offered) {
            String family = type.substring(0, type.indexOf('/')) + "/*";
            if (type.equals(ANYTHING) || taken.contains(ANYTHING) || taken.contains(family)) {
                return type;
            }
        }
        throw HttpFailure.of(
                HttpResponseStatus.NOT_ACCEPTABLE,
                Status.BAD_REQUEST,
                "there is " + String.join(", ", offered) + " here, nothing that Accept names");
    }

    private static Set<String> taken(String header) {
        Set<String> taken = new HashSet<>();
        for (String part : header.toLowerCase(Locale.ROOT).split(",")) {
            String[] words = part.split(";");
            boolean refused = false;
            for (int i = 1; i < words.length; i++) {
                refused |= words[i].strip().matches("q=0(\\.0*)?");
            }
            String type = words[0].strip();
            if (!type.isEmpty() && !refused) {
                taken.add(type);
            }
        }
        return taken;
    }
}
