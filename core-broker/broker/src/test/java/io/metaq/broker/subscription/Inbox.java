package io.metaq.broker.subscription;

import io.metaq.message.MessageBody;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** What a consumer of tests got. */
final class Inbox {
    /** A message as it was delivered. */
    record Got(int partition, long offset, long end, int delivery, int flag, byte[] body) {
        String text() {
            return StandardCharsets.UTF_8
                    .decode(MessageBody.payload(flag, ByteBuffer.wrap(body)))
                    .toString();
        }

        String range() {
            return partition + ":" + offset + "-" + end;
        }
    }

    final List<Got> got = new CopyOnWriteArrayList<>();
    final List<String> detached = new CopyOnWriteArrayList<>();

    void delivered(int partition, long offset, int delivery, ByteBuffer messages) {
        int at = 0;
        while (at < messages.limit()) {
            int length = messages.getInt(at);
            byte[] body = new byte[length];
            messages.get(at + 20, body);
            got.add(new Got(
                    partition, offset + at, offset + at + 20 + length, delivery, messages.getInt(at + 16), body));
            at += 20 + length;
        }
    }

    List<String> texts() {
        return got.stream().map(Got::text).toList();
    }

    /** Payload and delivery count of each. */
    List<String> counted() {
        return got.stream().map(m -> m.text() + ":" + m.delivery()).toList();
    }

    /** All that came, as one list of ranges. */
    String all() {
        return got.stream().map(Got::range).collect(Collectors.joining(","));
    }
}
