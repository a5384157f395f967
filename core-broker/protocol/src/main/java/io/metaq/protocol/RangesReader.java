package io.metaq.protocol;

/** Reads {@code P:FROM-TO[,P:FROM-TO…]} from the bytes of a header line. */
final class RangesReader {
    private final byte[] line;
    private final int end;
    private int at;

    RangesReader(byte[] line, int from, int to) {
        this.line = line;
        this.at = from;
        this.end = to;
    }

    Ranges read() {
        Ranges.Builder ranges = Ranges.builder();
        do {
            long partition = number(Integer.MAX_VALUE);
            expect(':');
            long from = number(Long.MAX_VALUE);
            expect('-');
            long to = number(Long.MAX_VALUE);
            if (to <= from) {
                throw notRanges("a range ends behind its beginning");
            }
            ranges.add((int) partition, from, to);
        } while (comma());
        return ranges.build();
    }

    private boolean comma() {
        if (at == end) {
            return false;
        }
        expect(',');
        return true;
    }

    private void expect(char wanted) {
        if (at == end || line[at] != wanted) {
            throw notRanges("'" + wanted + "' is missing");
        }
        at++;
    }

    private long number(long max) {
        int start = at;
        long value = 0;
        for (; at < end && line[at] >= '0' && line[at] <= '9'; at++) {
            int digit = line[at] - '0';
            if (value > (max - digit) / 10) {
                throw notRanges("a number is too large");
            }
            value = value * 10 + digit;
        }
        if (at == start) {
            throw notRanges("a number is missing");
        }
        return value;
    }

    private static ProtocolException notRanges(String why) {
        return new ProtocolException(Status.BAD_REQUEST, "not of the form P:FROM-TO[,P:FROM-TO]: " + why);
    }
}
