package io.metaq.tck.metaq14;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads requests from standard input and writes answers and events to standard output, see the package's grammar. */
final class DriverLoop {
    /** Handles one request; the returned values are the answer. */
    interface Handler {
        List<? extends @Nullable Object> handle(String verb, List<@Nullable String> arguments) throws Exception;
    }

    private final PrintStream out = System.out;

    DriverLoop() {
        // Whatever the originals print must not be mistaken for an answer
        System.setOut(System.err);
    }

    /** Serves requests until standard input ends. */
    void run(Handler handler) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            var tokens = List.of(line.split(" "));
            answer(tokens.get(0), tokens.get(1), decode(tokens.subList(2, tokens.size())), handler);
        }
    }

    /** Tells of something nobody asked for. */
    void event(@Nullable Object... values) {
        write("*", Arrays.asList(values));
    }

    private void answer(String number, String verb, List<@Nullable String> arguments, Handler handler) {
        try {
            write(number + " ok", handler.handle(verb, arguments));
        } catch (Exception e) {
            e.printStackTrace();
            write(number + " error", Arrays.asList(e.toString()));
        }
    }

    private synchronized void write(String start, List<? extends @Nullable Object> values) {
        var line = new StringBuilder(start);
        for (Object value : values) {
            line.append(' ').append(value == null ? "~" : URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
        }
        out.println(line);
        out.flush();
    }

    private static List<@Nullable String> decode(List<String> tokens) {
        List<@Nullable String> values = new ArrayList<>();
        for (String token : tokens) {
            values.add("~".equals(token) ? null : URLDecoder.decode(token, StandardCharsets.UTF_8));
        }
        return values;
    }
}
