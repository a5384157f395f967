package io.metaq.tck.harness;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The other end of a driver of the originals: requests and answers by line, see {@code io.metaq.tck.metaq14}. */
final class Driver implements AutoCloseable {
    private final Map<String, CompletableFuture<List<@Nullable String>>> waiting = new ConcurrentHashMap<>();
    private final BlockingQueue<List<@Nullable String>> events = new LinkedBlockingQueue<>();
    private final AtomicLong requests = new AtomicLong();
    private final ChildProcess process;

    private Driver(String name, List<String> command) {
        process = ChildProcess.start(name, command, this::line);
    }

    /** Starts a driver of the given simple class name and waits for its {@code started}. */
    static Driver start(String main, String... arguments) {
        var driver = new Driver(
                main,
                ChildJvm.command(
                        Metaq14.classPath(),
                        List.of("-Xmx256m", "-Duser.home=" + Metaq14.home()),
                        "io.metaq.tck.metaq14." + main,
                        List.of(arguments)));
        return driver;
    }

    ChildProcess process() {
        return process;
    }

    /** What the driver told by itself; without the leading {@code *}. */
    List<@Nullable String> nextEvent(Duration atMost) {
        try {
            var event = events.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
            if (event == null) {
                throw new IllegalStateException(
                        "the driver told nothing for %s%n%s".formatted(atMost, process.lastErrors()));
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The next event if there is one already. */
    @Nullable
    List<@Nullable String> pollEvent() {
        return events.poll();
    }

    List<@Nullable String> request(String verb, @Nullable String... arguments) {
        String number = Long.toString(requests.incrementAndGet());
        var answer = new CompletableFuture<List<@Nullable String>>();
        waiting.put(number, answer);
        var line = new StringBuilder(number).append(' ').append(verb);
        for (String argument : arguments) {
            line.append(' ').append(argument == null ? "~" : URLEncoder.encode(argument, StandardCharsets.UTF_8));
        }
        process.send(line.toString());
        try {
            return answer.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("%s failed: %s".formatted(verb, e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("no answer to %s%n%s".formatted(verb, process.lastErrors()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void line(String line) {
        var tokens = Arrays.asList(line.split(" "));
        if (tokens.get(0).equals("*")) {
            events.add(decode(tokens.subList(1, tokens.size())));
            return;
        }
        var answer = waiting.remove(tokens.get(0));
        if (answer == null) {
            return;
        }
        var values = decode(tokens.subList(2, tokens.size()));
        if (tokens.get(1).equals("ok")) {
            answer.complete(values);
        } else {
            answer.completeExceptionally(new IllegalStateException(values.toString()));
        }
    }

    private static List<@Nullable String> decode(List<String> tokens) {
        List<@Nullable String> values = new ArrayList<>();
        for (String token : tokens) {
            values.add("~".equals(token) ? null : URLDecoder.decode(token, StandardCharsets.UTF_8));
        }
        return values;
    }

    @Override
    public void close() {
        process.close();
    }
}
