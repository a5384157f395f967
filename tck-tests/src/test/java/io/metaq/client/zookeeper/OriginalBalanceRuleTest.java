package io.metaq.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.BalanceRule;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Our balance rules against the classes of the original client, loaded apart from our own libraries. In the package of
 * what it looks at, which no user can see.
 */
class OriginalBalanceRuleTest {
    private static final int ROUNDS = 100;

    private static URLClassLoader original;

    @BeforeAll
    static void loadTheOriginal() throws Exception {
        try (var list = OriginalBalanceRuleTest.class.getResourceAsStream("/metaq14.classpath")) {
            String jars = new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8);
            List<URL> urls = new ArrayList<>();
            for (String jar : jars.strip().split(File.pathSeparator)) {
                urls.add(Path.of(jar).toUri().toURL());
            }
            original = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        }
    }

    @AfterAll
    static void unload() throws Exception {
        Thread.currentThread().setContextClassLoader(OriginalBalanceRuleTest.class.getClassLoader());
        original.close();
    }

    @Test
    void shouldSplitByRangesAsTheOriginal() throws Exception {
        compare("DefaultLoadBalanceStrategy", BalanceRule.RANGE);
    }

    @Test
    void shouldSplitByHashesAsTheOriginal() throws Exception {
        compare("ConsisHashStrategy", BalanceRule.CONSISTENT_HASH);
    }

    private static void compare(String type, BalanceRule rule) throws Exception {
        Thread.currentThread().setContextClassLoader(original); // the original finds its logging by it
        original.loadClass("org.apache.log4j.LogManager").getMethod("shutdown").invoke(null);
        Class<?> strategy = original.loadClass("com.taobao.metamorphosis.client.consumer." + type);
        Object rules = strategy.getConstructor().newInstance();
        Method shares = strategy.getMethod("getPartitions", String.class, String.class, List.class, List.class);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<String> members = members(random);
            List<String> partitions = partitions(random);
            Set<String> all = new HashSet<>();
            for (String member : members) {
                Set<String> ours = Assignment.share(rule, member, members, partitions);
                assertThat(ours)
                        .as("seed %d, %s of %s over %s", seed, member, members, partitions)
                        .containsExactlyInAnyOrderElementsOf(ask(shares, rules, member, members, partitions));
                all.addAll(ours);
            }
            assertThat(all).containsExactlyInAnyOrderElementsOf(partitions);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> ask(
            Method shares, Object rules, String member, List<String> members, List<String> partitions)
            throws IllegalAccessException, InvocationTargetException {
        return (List<String>) shares.invoke(rules, "topic", member, members, partitions);
    }

    private static List<String> members(Random random) {
        Set<String> members = new TreeSet<>();
        int count = 1 + random.nextInt(20);
        while (members.size() < count) {
            members.add("group_10.0." + random.nextInt(256) + "." + random.nextInt(256) + "-" + random.nextInt(65536)
                    + "-" + Math.abs(random.nextLong()) + "-" + random.nextInt(10));
        }
        return List.copyOf(members);
    }

    private static List<String> partitions(Random random) {
        List<String> partitions = new ArrayList<>();
        for (int broker : random.ints(random.nextInt(6), 0, 1024).distinct().toArray()) {
            int count = random.nextInt(30);
            for (int i = 0; i < count; i++) {
                partitions.add(broker + "-" + i);
            }
        }
        String[] sorted = partitions.toArray(String[]::new);
        Arrays.sort(sorted);
        return List.of(sorted);
    }
}
