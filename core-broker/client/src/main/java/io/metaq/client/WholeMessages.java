package io.metaq.client;

import io.netty.buffer.ByteBuf;

/**
 * How many whole messages a slice begins with.
 *
 * @param count messages
 * @param bytes their size
 * @param neededBytes size of the message behind them as its header says, 0 if its header is not whole either
 * @param damaged whether the header behind them cannot be one
 */
record WholeMessages(int count, int bytes, int neededBytes, boolean damaged) {

    static WholeMessages in(ByteBuf slice, int maxBody) {
        int start = slice.readerIndex();
        int end = slice.writerIndex();
        int at = start;
        int count = 0;
        while (end - at >= StorageFormat.HEADER) {
            int length = slice.getInt(at);
            if (length < 0 || length > maxBody) {
                return new WholeMessages(count, at - start, 0, true);
            }
            int whole = StorageFormat.HEADER + length;
            if (whole > end - at) {
                return new WholeMessages(count, at - start, whole, false);
            }
            at += whole;
            count++;
        }
        return new WholeMessages(count, at - start, 0, false);
    }
}
