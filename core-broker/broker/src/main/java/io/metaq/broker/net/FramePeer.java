package io.metaq.broker.net;

import io.metaq.log.partition.LogSlice;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.codec.DeliveryHead;
import io.metaq.protocol.codec.ResponseEncoder;
import io.metaq.protocol.codec.ValueHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** A client of the text protocol: replies are frames. */
final class FramePeer implements Peer {
    /** Pulls that a client may have under way before its connection is read further. */
    private static final int MAX_PENDING_VALUES = 64;

    private final Channel channel;
    private final boolean encrypted;
    private boolean reading = true;
    private int pendingValues;

    /** @param encrypted whether bytes must go through TLS on their way, so that sendfile is no way for them */
    FramePeer(Channel channel, boolean encrypted) {
        this.channel = channel;
        this.encrypted = encrypted;
    }

    @Override
    public void result(Response.Result result) {
        ByteBuf buffer = channel.alloc().ioBuffer(64 + result.text().length() * 2);
        ResponseEncoder.writeResult(buffer, result.code(), result.text(), result.opaque());
        channel.write(buffer, channel.voidPromise());
    }

    @Override
    public void result(Status status, byte[] body, int opaque) {
        ByteBuf buffer = channel.alloc().ioBuffer(64 + body.length);
        ResponseEncoder.writeResult(buffer, status.code(), body, opaque);
        channel.write(buffer, channel.voidPromise());
    }

    @Override
    public void stored(long messageId, int partition, long offset, int opaque) {
        ByteBuf buffer = channel.alloc().ioBuffer(128);
        ResponseEncoder.writeStored(buffer, messageId, partition, offset, opaque);
        channel.write(buffer, channel.voidPromise());
    }

    /** From file to socket where that can be. */
    @Override
    public void value(LogSlice slice, int opaque) throws IOException {
        ByteBuf head = channel.alloc().ioBuffer(ValueHead.MAX_LENGTH + SliceTransfer.copiedBytes(slice));
        ValueHead.write(head, slice.length(), opaque);
        if (SliceTransfer.copies(slice)) {
            copied(slice, head);
        } else {
            sent(slice, head);
        }
    }

    private void copied(LogSlice slice, ByteBuf head) throws IOException {
        try {
            SliceTransfer.copy(slice, head);
        } catch (IOException | RuntimeException e) {
            head.release();
            throw e;
        } finally {
            slice.release();
        }
        channel.write(head, channel.voidPromise());
    }

    private void sent(LogSlice slice, ByteBuf head) {
        channel.write(head, channel.voidPromise());
        pendingValues++;
        channel.write(SliceTransfer.outbound(slice, encrypted)).addListener(sent -> {
            pendingValues--;
            if (!sent.isSuccess()) {
                // Part of the value may be out: nothing that follows would be understood.
                channel.close();
            }
            read();
        });
    }

    @Override
    public void deliver(int consumer, int partition, long offset, int count, int delivery, ByteBuffer messages) {
        int length = messages.remaining();
        ByteBuf buffer = channel.alloc().ioBuffer(DeliveryHead.MAX_LENGTH + length);
        DeliveryHead.write(buffer, consumer, partition, offset, count, delivery, length);
        buffer.writeBytes(messages);
        channel.write(buffer, channel.voidPromise());
    }

    @Override
    public void detached(int consumer, String reason) {
        ByteBuf buffer = channel.alloc().ioBuffer(64 + reason.length() * 3);
        ResponseEncoder.writeDetached(buffer, consumer, reason);
        channel.write(buffer, channel.voidPromise());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public boolean writable() {
        return channel.isWritable();
    }

    @Override
    public boolean open() {
        return channel.isActive();
    }

    @Override
    public void reading(boolean on) {
        reading = on;
        read();
    }

    private void read() {
        boolean read = reading && pendingValues < MAX_PENDING_VALUES && channel.isWritable();
        if (read != channel.config().isAutoRead()) {
            channel.config().setAutoRead(read);
        }
    }

    @Override
    public void closeWhenSent() {
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public SocketAddress address() {
        return channel.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.localAddress();
    }
}
