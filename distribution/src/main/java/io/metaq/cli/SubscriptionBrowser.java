package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.SubscriptionAdmin.SubscriptionSummary;
import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.protocol.AttachKind;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Looks through what a subscription holds, without taking anything, and prints a line for each message. */
final class SubscriptionBrowser {
    private static final int BATCH = 64;
    private static final int PATIENCE_SECONDS = 30;

    private final Terminal terminal;
    private final BrowseOptions options;

    SubscriptionBrowser(Terminal terminal, BrowseOptions options) {
        this.terminal = terminal;
        this.options = options;
    }

    /** Messages as they come in; the end of the consumer, if the broker ends it. */
    private static final class Arrived implements DeliveryHandler {
        private final Queue<Delivery> messages = new ConcurrentLinkedQueue<>();
        private volatile @Nullable String ended;

        @Override
        public void delivered(Delivery message) {
            messages.add(message);
        }

        @Override
        public void reset() {
            ended = "the connection was lost";
        }

        @Override
        public void detached(String reason) {
            ended = reason;
        }
    }

    /** The command gives up at the first loss: what was printed would be printed again. */
    private static final class Unconcerned implements SubscriberListener {
        @Override
        public void interrupted(RuntimeException cause) {
            // Arrived.reset tells the same with the consumer.
        }

        @Override
        public void resumed() {
            // As above.
        }

        @Override
        public void failed(RuntimeException cause) {
            // The call that is under way fails too.
        }
    }

    void browse(MetaqClient client, SubscriptionSummary subscription) {
        Arrived arrived = new Arrived();
        Attachment looking = new Attachment(
                subscription.name(), subscription.topic(), AttachKind.BROWSE, options.selector(), false, null);
        try (SubscriberLink link = client.subscriber(new Unconcerned())) {
            await(link.ready());
            AttachedConsumer browser = await(link.attach(looking, arrived));
            terminal.print(
                    "%-9s %14s %5s %4s %-7s %-40s %s", "PARTITION", "OFFSET", "COUNT", "PRIO", "BODY", "ID", "MESSAGE");
            print(browser, arrived);
        }
    }

    private void print(AttachedConsumer browser, Arrived arrived) {
        long left = options.max();
        int asked;
        int came;
        do {
            asked = (int) Math.min(BATCH, left);
            came = asked == 0 ? 0 : await(browser.drain(asked));
            left -= came;
            for (Delivery message = arrived.messages.poll(); message != null; message = arrived.messages.poll()) {
                print(message);
            }
            if (arrived.ended != null) {
                throw new CommandFailedException("not all messages were shown: " + arrived.ended);
            }
        } while (asked > 0 && came == asked && !terminal.outClosed());
    }

    private void print(Delivery message) {
        MessagePreview seen =
                MessagePreview.of(message.messageId(), message.flag(), message.buffer(), options.preview());
        terminal.print(
                "%-9d %14d %5d %4d %-7s %-40s %s",
                message.partition(),
                message.offset(),
                message.deliveryCount(),
                seen.priority(),
                seen.kind(),
                seen.id(),
                seen.text());
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MetaqException failure) {
                throw failure;
            }
            throw new CommandFailedException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new CommandFailedException("the broker did not answer within " + PATIENCE_SECONDS + " seconds", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }
}
