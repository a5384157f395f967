package io.metaq.tck.metaq14;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.consumer.MessageListener;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Tells of every message it is given. */
final class ReportingListener implements MessageListener {
    private final DriverLoop loop;

    ReportingListener(DriverLoop loop) {
        this.loop = loop;
    }

    @Override
    public void recieveMessages(Message message) {
        loop.event(
                "message",
                message.getTopic(),
                message.getPartition(),
                message.getId(),
                new String(message.getData(), StandardCharsets.UTF_8),
                message.getAttribute());
    }

    /** Null: on the thread that fetched. */
    @Override
    public @Nullable Executor getExecutor() {
        return null;
    }
}
