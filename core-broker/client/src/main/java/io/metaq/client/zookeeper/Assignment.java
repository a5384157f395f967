package io.metaq.client.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.client.BalanceRule;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which partitions of a topic a member has to own. Every member works this out for itself from the same lists, so each
 * detail must be as in 1.4: a difference leaves partitions with two claimants or with none.
 */
final class Assignment {
    private static final int POINTS_PER_DIGEST = 4;
    private static final int DIGESTS_PER_MEMBER = 40;

    private Assignment() {}

    /**
     * The share of one member.
     *
     * @param members of this topic, sorted as text
     * @param partitions as {@code broker-partition}, sorted as text
     */
    static Set<String> share(BalanceRule rule, String member, List<String> members, List<String> partitions) {
        return switch (rule) {
            case RANGE -> range(member, members, partitions);
            case CONSISTENT_HASH -> hashed(member, members, partitions);
        };
    }

    private static Set<String> range(String member, List<String> members, List<String> partitions) {
        int position = members.indexOf(member);
        if (position < 0) {
            return Set.of();
        }
        int each = partitions.size() / members.size();
        int withOneMore = partitions.size() % members.size();
        int from = each * position + Math.min(position, withOneMore);
        int count = position < withOneMore ? each + 1 : each;
        return Set.copyOf(partitions.subList(from, from + count));
    }

    private static Set<String> hashed(String member, List<String> members, List<String> partitions) {
        TreeMap<Long, String> ring = ring(members);
        Set<String> share = new HashSet<>();
        for (String partition : partitions) {
            Map.Entry<Long, String> next = ring.ceilingEntry(point(md5(partition), 0));
            Map.Entry<Long, String> owner = next == null ? ring.firstEntry() : next;
            if (owner != null && owner.getValue().equals(member)) {
                share.add(partition);
            }
        }
        return share;
    }

    /** Where points of two members coincide, the later member in the list has it. */
    private static TreeMap<Long, String> ring(List<String> members) {
        TreeMap<Long, String> ring = new TreeMap<>();
        for (String member : members) {
            for (int i = 0; i < DIGESTS_PER_MEMBER; i++) {
                byte[] digest = md5(member + "-" + i);
                for (int quarter = 0; quarter < POINTS_PER_DIGEST; quarter++) {
                    ring.put(point(digest, quarter), member);
                }
            }
        }
        return ring;
    }

    /** Four bytes of the digest, the first the lowest, as an unsigned number. */
    private static long point(byte[] digest, int quarter) {
        long point = 0;
        for (int i = 3; i >= 0; i--) {
            point = point << 8 | (digest[quarter * 4 + i] & 0xFF);
        }
        return point;
    }

    private static byte[] md5(String text) {
        try {
            return MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }
}
