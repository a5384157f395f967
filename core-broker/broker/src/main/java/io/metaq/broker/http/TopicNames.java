package io.metaq.broker.http;

/** What can name a topic or queue. Where the text protocol has tokens, a path may have anything. */
final class TopicNames {
    private static final int MOST_CHARACTERS = 255;

    private TopicNames() {}

    /** @throws HttpFailure if no topic can have that name */
    static String check(String name) {
        if (name.length() > MOST_CHARACTERS || name.chars().anyMatch(c -> c <= ' ' || "/,*?\\".indexOf(c) >= 0)) {
            throw HttpFailure.badRequest("'" + name + "' cannot name a topic: up to " + MOST_CHARACTERS
                    + " characters without spaces and without / , * ? \\");
        }
        return name;
    }
}
