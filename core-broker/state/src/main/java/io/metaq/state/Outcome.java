package io.metaq.state;

/** What became of a change once it was applied. */
public sealed interface Outcome {
    /**
     * The change is in effect.
     *
     * @param before whether it had been so before: this was a resend
     */
    record Done(boolean before) implements Outcome {}

    /** The change had no effect. */
    record Refused(Refusal reason, String text) implements Outcome {}

    Outcome DONE = new Done(false);
    Outcome DONE_BEFORE = new Done(true);

    static Outcome refused(Refusal reason, String text) {
        return new Refused(reason, text);
    }
}
