package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** No broker has the topic (or the group, or the partition): create it, or correct its name. */
public final class TopicNotFoundException extends MetaqException {

    private static final long serialVersionUID = 1L;

    TopicNotFoundException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
