package io.metaq.benchmarks.metaq;

/** The head line of an answer: {@code code} 200 and {@code value} true for data, else the code of a {@code result}. */
record RawReply(boolean value, int code, int length, int opaque) {

    /** @param line without its line end */
    static RawReply parse(String line) {
        String[] tokens = line.split(" ");
        if (tokens[0].equals("value")) {
            return new RawReply(true, 200, Integer.parseInt(tokens[1]), Integer.parseInt(tokens[2]));
        }
        return new RawReply(
                false, Integer.parseInt(tokens[1]), Integer.parseInt(tokens[2]), Integer.parseInt(tokens[3]));
    }
}
