package io.metaq.client;

/** What the line protocol can carry as a name. */
final class TopicNames {

    private TopicNames() {}

    /** Refuses names that would break a command line apart; anything else is the broker's to judge. */
    static void check(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the topic's name is empty");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c == 0x7f) {
                throw new IllegalArgumentException("the topic's name '" + name + "' has a blank or control character");
            }
        }
    }

    static void checkGroup(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the group's name is empty");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c == 0x7f || "~!#$%^&*()+=`'\",;/?[]<>.:".indexOf(c) >= 0) {
                throw new IllegalArgumentException("the group's name '" + name + "' has the character '" + c
                        + "'; letters, digits, '-', '_' and '@' are safe");
            }
        }
    }
}
