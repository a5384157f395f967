package io.metaq.tck.closing;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Where a thread is when it ends something. */
enum Moment {
    /** In a listener, which has a message. */
    IN_LISTENER {
        @Override
        void prepare(Scene scene, Play play) throws Exception {
            if (scene.contextEnds()) {
                JMSConsumer consumer = scene.context().createConsumer(scene.queue());
                consumer.setMessageListener(message -> play.enter());
            } else {
                scene.consumer().setMessageListener(message -> play.enter());
            }
            scene.producer().send(scene.session().createTextMessage("x"));
        }

        @Override
        boolean refuses(Ending ending) {
            return ending.refusedInListener();
        }
    },
    /** In a callback of a send that has been completed. */
    IN_CALLBACK {
        @Override
        void prepare(Scene scene, Play play) throws Exception {
            CompletionListener listener = new Entering(play);
            if (scene.contextEnds()) {
                scene.context().createProducer().setAsync(listener).send(scene.queue(), "x");
            } else {
                scene.producer().send(scene.session().createTextMessage("x"), listener);
            }
        }

        @Override
        boolean refuses(Ending ending) {
            return ending.refusedInCallback();
        }
    },
    /** In the exception listener, which was told that the connection is lost. */
    IN_EXCEPTION_LISTENER {
        @Override
        void prepare(Scene scene, Play play) throws Exception {
            if (scene.contextEnds()) {
                scene.context().setExceptionListener(e -> play.enter());
            } else {
                scene.connection().setExceptionListener(e -> play.enter());
            }
        }
    },
    /** In a thread of its own while another one waits for a message. */
    WHILE_RECEIVING {
        @Override
        void prepare(Scene scene, Play play) {
            if (scene.contextEnds()) {
                JMSConsumer consumer = scene.context().createConsumer(scene.queue());
                play.alongside(consumer::receive);
            } else {
                play.alongside(scene.consumer()::receive);
            }
            play.alongside(() -> {
                play.enter();
                return null;
            });
        }
    },
    /** In two threads at once. */
    TWICE_AT_ONCE {
        @Override
        void prepare(Scene scene, Play play) {
            CountDownLatch both = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                play.alongside(() -> {
                    both.countDown();
                    both.await();
                    play.enter();
                    return null;
                });
            }
        }
    };

    /** Gets a thread to {@link Play#enter} at this moment, then or later. */
    abstract void prepare(Scene scene, Play play) throws Exception;

    /** Whether this ending is refused here by an IllegalStateException. */
    boolean refuses(Ending ending) {
        return false;
    }

    /** Enters the play when the send is done. */
    private record Entering(Play play) implements CompletionListener {
        @Override
        public void onCompletion(Message message) {
            play.enter();
        }

        @Override
        public void onException(Message message, @Nullable Exception exception) {
            play.fail(new CompletableFuture<>(), exception == null ? new AssertionError("no reason") : exception);
        }
    }
}
