# frozen_string_literal: true

require_relative 'seat'

module Metaq
  # Receives the messages of a queue, or of a subscription of a topic, which are acknowledged one by one. What was not acknowledged when
  # the receiver or its connection ends comes again, to whoever is there. Any thread may use it; several that receive share the messages.
  #
  # @example
  #   client.receiver('orders').each { |message| handle(message.body) }   # acknowledged when the block returns, rejected if it raises
  class Receiver
    include Enumerable

    # A broker that does not say good-bye is not waited for any longer, seconds.
    CLOSE_TIMEOUT = 5
    private_constant :CLOSE_TIMEOUT

    # @return [String]
    attr_reader :topic

    # @api private
    def initialize(client, links, topic, name, kind:, selector:, no_local:, prefetch:, prefetch_bytes:, timeout:)
      @client = client
      @topic = topic
      @timeout = timeout
      @prefetch = Checks.integer(prefetch, 'prefetch', 0..0x7fff_ffff)
      bytes = Checks.integer(prefetch_bytes, 'prefetch_bytes', 1..0x7fff_ffff)
      spec = { topic: topic, kind: kind, selector: selector && Protocol::Escape.utf8(selector) }
      spec.update(nolocal: true, origin: client.origin) if no_local
      @lock = Mutex.new
      @arrived = ConditionVariable.new
      @frames = []
      @held = {}
      @settled = {}
      @closed = false
      @seats = links.map { |link| Seat.new(link, self, name, spec, @prefetch, bytes) }
    end

    # @api private
    def attach
      deadline = Clock.now + @timeout
      attached = []
      @seats.each do |seat|
        seat.attach(deadline)
        attached << seat
      end
      self
    rescue Error
      attached.each { |seat| seat.detach(Protocol::Ranges.new, 1) }
      raise
    end

    # Takes one message.
    #
    # @param timeout [Numeric] seconds to wait for one; 0 takes what is there
    # @return [ReceivedMessage, nil] to be acknowledged, rejected or released; nil if none came
    # @raise [DetachedError] if the broker ended the consumer
    # @raise [ClosedError, ConnectionError]
    def receive(timeout: @timeout)
      Checks.seconds(timeout, 'timeout')
      @client.check
      deadline = Clock.now + timeout
      message = next_message(nil)
      return message if message
      return receive_now if timeout.zero?

      @prefetch.zero? ? receive_one(deadline) : next_message(deadline)
    end

    # Takes message after message, until the receiver is closed or none came for so long.
    #
    # @param timeout [Numeric, nil] seconds without a message behind which it ends; nil goes on
    # @param ack [Boolean] whether a message is acknowledged when the block returns or breaks, and rejected if it raises
    # @yieldparam message [ReceivedMessage]
    # @return [self]
    def each(timeout: nil, ack: true)
      return enum_for(:each, timeout: timeout, ack: ack) unless block_given?

      loop do
        message = receive(timeout: timeout || @timeout)
        if message.nil?
          break if timeout || @closed

          next
        end
        ack ? settled(message) { yield message } : yield(message)
      end
      self
    rescue ClosedError
      raise unless @closed && !@client.closed?

      self
    end

    # (see ReceivedMessage#ack)
    # @param messages [Array<ReceivedMessage>] of this receiver
    def ack(*messages, wait: true)
      messages.flatten.group_by { |message| seat_of(message) }.each do |seat, own|
        own.each { |message| unhold(message) }
        if wait
          ack_now(seat, own)
        else
          own.each { |message| seat.ack_later(message.partition, message.offset, message.next_offset) }
        end
      end
      nil
    end

    # (see ReceivedMessage#reject)
    # @param messages [Array<ReceivedMessage>] of this receiver
    def reject(*messages, delay: nil, dead: false)
      delay_ms = delay && Headers.duration(:delay, delay)
      give_back('reject', messages) do |seat, ranges, opaque|
        Protocol::Request.reject(seat.consumer, ranges, opaque, delay: delay_ms, dead: dead || nil)
      end
    end

    # (see ReceivedMessage#release)
    # @param messages [Array<ReceivedMessage>] of this receiver
    def release(*messages)
      give_back('release', messages) { |seat, ranges, opaque| Protocol::Request.release(seat.consumer, ranges, opaque) }
    end

    # Waits until the broker has answered acknowledgements that were not waited for.
    #
    # @param timeout [Numeric] seconds
    # @return [nil]
    # @raise [TimeoutError]
    def flush(timeout: @timeout)
      deadline = Clock.now + timeout
      @seats.each do |seat|
        raise TimeoutError.new("acknowledge: no answer in #{timeout} s", outcome_unknown: true) unless seat.flush(deadline)
      end
      nil
    end

    # @return [Integer] of the messages acknowledged without waiting, how many were somebody else's by then, or done before
    def missed_count
      @seats.sum(&:missed)
    end

    # Ends it. What was received and not settled comes again, counted; what was not looked at, as if it had not been delivered.
    #
    # @return [nil]
    def close
      return if @closed || @client.forked?

      held = @lock.synchronize do
        @closed = true
        @frames.clear
        @arrived.broadcast
        @held.values
      end
      @client.disown(self)
      @seats.each do |seat|
        own = held.select { |message, epoch| epoch == seat.epoch && seat_of(message).equal?(seat) }
        seat.detach(ranges_of(own.map(&:first)), [@timeout, CLOSE_TIMEOUT].min)
      end
      nil
    end

    # @api private
    # @return [Seat] where it is acknowledged
    def seat_of(message)
      unless message.is_a?(ReceivedMessage) && message.owner.equal?(self)
        raise ArgumentError, "#{message.inspect} is no message of this receiver"
      end

      @seats.find { |seat| seat.link.info.broker_id == message.broker_id } || @seats.first
    end

    # The application is done with it. If it has come again meanwhile, over another connection, that copy is not to be handed out.
    #
    # @api private
    # @return [Array(ReceivedMessage, Integer), nil] the message, and the seat's epoch when it came
    def unhold(message)
      @lock.synchronize do
        @settled[key(message)] = true if @frames.any? { |frame| frame.covers?(message) }
        @held.delete(key(message))
      end
    end

    # Takes what is there now, without waiting.
    #
    # @api private
    def pull(count)
      @seats.each { |seat| drained(seat, count) unless seat.ended }
      messages = []
      while (message = next_message(nil))
        messages << message
      end
      messages
    end

    # Frames of a seat: on the link's thread.
    #
    # @api private
    def delivered(seat, frame)
      @lock.synchronize do
        @frames << Frame.new(seat, seat.epoch, frame, 0, frame.offset, frame.count)
        @arrived.broadcast
      end
    end

    # What was delivered and not looked at comes again.
    #
    # @api private
    def reattached(seat)
      @lock.synchronize do
        @frames.reject! { |frame| frame.seat.equal?(seat) }
        @settled.clear
      end
    end

    # @api private
    def changed
      @lock.synchronize { @arrived.broadcast }
    end

    # Messages that came in one frame, and how far they were handed out.
    Frame = Struct.new(:seat, :epoch, :delivery, :at, :offset, :left) do
      def covers?(message)
        delivery.partition == message.partition && message.offset >= offset && message.offset < offset + delivery.bytes.bytesize - at &&
          seat.link.info.broker_id == message.broker_id
      end
    end
    # Who a message came from.
    Source = Struct.new(:topic, :broker_id, :client, :address) do
      def fetch(_message, headers, list)
        client.large.fetch(address, broker_id, headers, list)
      end
    end
    private_constant :Frame, :Source

    # @api private
    # @return [Array<Seat>]
    attr_reader :seats

    private

    def next_message(deadline)
      loop do
        frame, at, offset, length = @lock.synchronize { frame?(deadline) ? shift : nil }
        return nil unless frame

        delivery = frame.delivery
        frame.seat.used(length)
        message = ReceivedMessage.read(delivery.bytes, at, source(frame.seat), delivery.partition, offset, delivery.delivery, self)
        return message if hold(message, frame.epoch)
      end
    end

    # False if the application is done with it already.
    def hold(message, epoch)
      @lock.synchronize do
        return false if @settled.delete(key(message))

        @held[key(message)] = [message, epoch]
        true
      end
    end

    # Under the lock. Whether there is a frame by then.
    def frame?(deadline)
      while @frames.empty?
        raise ClosedError, 'the receiver is closed' if @closed
        raise @seats.first.ended if @seats.all?(&:ended)

        left = deadline ? deadline - Clock.now : 0
        return false if left <= 0

        @arrived.wait(@lock, left)
      end
      true
    end

    # Under the lock.
    def shift
      frame = @frames.first
      @frames.shift if (frame.left -= 1).zero?
      length = Protocol::Storage.length(frame.delivery.bytes, frame.at) + Protocol::Storage::HEADER
      taken = [frame, frame.at, frame.offset, length]
      frame.at += length
      frame.offset += length
      taken
    end

    def key(message)
      [message.broker_id, message.partition, message.offset]
    end

    def source(seat)
      (@sources ||= {})[seat] ||= Source.new(@topic, seat.link.info.broker_id, @client, seat.link.address)
    end

    # Asks each broker whether there is one now.
    def receive_now
      @seats.each do |seat|
        next if seat.ended

        count = drained(seat, 1)
        return next_message(nil) if count.positive? || @lock.synchronize { @frames.any? }
      end
      next_message(nil)
    end

    def drained(seat, messages)
      seat.drain(messages, @timeout)
    ensure
      seat.recredit(@lock.synchronize { @frames.select { |frame| frame.seat.equal?(seat) }.sum(&:left) })
    end

    # Without prefetching: lets one come, and takes that back when the time is over.
    def receive_one(deadline)
      @seats.each { |seat| seat.credit(1) }
      message = next_message(deadline)
      @seats.each { |seat| seat.drain(0, @timeout) unless seat.ended } if message.nil? || @seats.size > 1
      message || next_message(nil)
    end

    # A break, as of Enumerable#first, is a good end; that of a killed thread is none, and leaves the message as it is.
    def settled(message)
      failed = false
      yield
    rescue Exception
      failed = true
      reject(message) if held?(message)
      raise
    ensure
      ack(message, wait: false) if !failed && held?(message) && Thread.current.status != 'aborting'
    end

    def held?(message)
      @lock.synchronize { @held.key?(key(message)) }
    end

    def ack_now(seat, messages)
      ranges = ranges_of(messages)
      missed = 0
      unknown = false
      until ranges.empty?
        count, repeated = seat.ack(ranges.take(Core::Acknowledgements::MAX_RANGES), @timeout)
        missed += count
        unknown ||= repeated
      end
      return if missed.zero?

      raise MissedError.new("#{missed} of the messages were somebody else's by then, or done before", outcome_unknown: unknown)
    end

    def ranges_of(messages)
      ranges = Protocol::Ranges.new
      messages.each { |message| ranges.add(message.partition, message.offset, message.next_offset) }
      ranges.compact
    end

    # What came over a connection that is lost has gone back with it, and may be leased anew: that lease is not to be ended.
    def give_back(what, messages)
      messages.flatten.group_by { |message| seat_of(message) }.each do |seat, own|
        current = own.select { |message| (entry = unhold(message)) && entry.last == seat.epoch }
        ranges = ranges_of(current)
        until ranges.empty?
          part = ranges.take(Core::Acknowledgements::MAX_RANGES)
          seat.give_back(what, @timeout) { |opaque| yield seat, part, opaque }
        end
      end
      nil
    end
  end
end
