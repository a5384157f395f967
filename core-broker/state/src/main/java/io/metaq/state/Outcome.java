package io.metaq.state;

/** What became of a change once it was applied. */
public sealed interface Outcome {
    /** The change is in effect. */
    record Done() implements Outcome {}

    /** The change had no effect. */
    record Refused(Refusal reason, String text) implements Outcome {}

    Outcome DONE = new Done();

    static Outcome refused(Refusal reason, String text) {
        return new Refused(reason, text);
    }
}
