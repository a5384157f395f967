package io.metaq.testkit.peer;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as it came in: the tokens of its header, and its body, empty if it has none. */
public record PeerRequest(List<String> tokens, byte[] body) {
    public String verb() {
        return tokens.get(0);
    }

    public String token(int index) {
        return tokens.get(index);
    }

    /** The header line as it was sent, without its line end. */
    public String line() {
        return String.join(" ", tokens);
    }

    public int opaque() {
        int place = switch (verb()) {
            case "get" -> 6;
            case "offset", "append" -> 5;
            case "topic", "group", "subscription", "tx", "attach", "drain", "ack", "reject", "release", "enlist" -> 3;
            case "stats", "login", "client", "detach", "transact" -> 2;
            case "version" -> 1;
            case "transaction" -> tokens.size() - (option("number") == null ? 1 : 2);
            default -> tokens.size() - 1;
        };
        return place < tokens.size() && place > 0 ? Integer.parseInt(token(place)) : Integer.MAX_VALUE;
    }

    /** The value of {@code key=value}, as sent, or null. */
    public @Nullable String option(String key) {
        return tokens.stream()
                .filter(token -> token.startsWith(key + "="))
                .map(token -> token.substring(key.length() + 1))
                .findFirst()
                .orElse(null);
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return line() + (body.length == 0 ? "" : " + " + body.length + " bytes");
    }
}
