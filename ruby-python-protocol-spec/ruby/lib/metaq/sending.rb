# frozen_string_literal: true

require 'monitor'

module Metaq
  # The promise of a message that is being sent. Any thread may ask it.
  class SendFuture
    # @api private
    def initialize(batch, index, timeout)
      @batch = batch
      @index = index
      @timeout = timeout
    end

    # @return [Boolean] whether there is an outcome
    def done?
      @batch.done?
    end

    # Waits for the outcome.
    #
    # @param timeout [Numeric] seconds; by default as long as the send may take
    # @return [Core::SendResult]
    # @raise [Error] why it was not stored, or not known to be
    # @raise [TimeoutError] if there is no outcome in time; the send goes on
    def value(timeout = @timeout + 1)
      unless @batch.wait(Clock.now + timeout)
        raise TimeoutError.new("send to #{@batch.topic}: no outcome in #{timeout} s", outcome_unknown: true)
      end

      result = @batch.result(@index)
      result.is_a?(Exception) ? raise(result.clone) : result
    end

    # Waits for the outcome, whichever it is.
    #
    # @return [Error, nil] what {#value} would raise
    def error(timeout = @timeout + 1)
      value(timeout)
      nil
    rescue Error => e
      e
    end

    # Calls when there is an outcome: at once if there is one, else on a thread of the client, which must not be kept waiting.
    #
    # @yieldparam future [SendFuture] with its outcome
    # @return [self]
    def on_done
      @batch.when_done do
        yield self
      rescue StandardError => e
        # The thread has others to serve.
        warn("metaq: what was to be done with a send's outcome failed: #{e.full_message}")
      end
      self
    end
  end

  # One producer's way to one broker: {Core::Sender} on a link.
  #
  # @api private
  class Sending
    def initialize(link, sender, durability)
      @link = link
      @sender = sender
      @durability = durability
      @lock = Monitor.new
      @armed = nil
      @max_body = link.info.max_body
      link.listen(self)
      link_up(link, link.info) if link.up?
    end

    attr_reader :link

    # Gathers a message and sends what can be sent: only a new batch changes what that is.
    #
    # @param reserved [Integer] bytes of the producer's buffer, given back through the batch
    # @return [Array(Core::Batch, Integer)]
    def add(topic, partition, body, flag, deadline, reserved)
      if body.bytesize + Protocol::Storage::HEADER > @max_body
        raise TooLargeError.new(413, "#{body.bytesize} bytes are more than the #{@max_body} that the broker takes", "send to #{topic}")
      end

      @lock.synchronize do
        batch, index = @sender.add(topic, partition, body, flag, deadline)
        batch.reserved += reserved
        if index.zero?
          yield batch
          pump
        end
        [batch, index]
      end
    end

    def empty?
      @lock.synchronize { @sender.empty? }
    end

    def link_up(_link, info)
      @lock.synchronize do
        @max_body = info.max_body
        @sender.connected(info.feature?('append'), info.max_body)
        pump
      end
    end

    def link_down(_link, error)
      @lock.synchronize { @sender.disconnected(error) }
    end

    def close
      @link.unlisten(self)
      @lock.synchronize { @sender.abandon(ClosedError) }
    end

    private

    def pump
      now = Clock.now
      while (batch = @sender.take(now))
        write(batch)
      end
      arm(now)
    end

    def write(batch)
      handler = ->(outcome) { answered(batch, outcome) }
      # The batch itself has the deadline: an answer that comes late is heard all the same.
      @link.post(batch.deadline + 3600, handler) { |opaque| request(batch, opaque) }
    rescue ConnectionError, ClosedError
      @sender.unsent(batch)
    end

    def request(batch, opaque)
      if @link.info.feature?('append')
        numbered = @sender.producer_id
        header = Protocol::Request.append_header(batch.topic, batch.partition, batch.count, batch.bytesize, opaque,
                                                 producer: numbered, seq: batch.sequence, durability: @durability)
        return batch.bytesize < 16_384 ? header << batch.bytes : [header, batch.bytes]
      end

      body, flag = batch.single
      Protocol::Request.put(batch.topic, batch.partition, body, opaque, flag: flag, crc: Protocol::Storage.checksum(body))
    end

    def answered(batch, outcome)
      # A lost connection is told to link_down once, for all batches.
      return unless outcome.is_a?(Protocol::Result)

      @lock.synchronize do
        @sender.answered(batch, outcome.code, outcome.text, @link.info&.broker_id, Clock.now)
        pump
      end
    end

    # A timer for the next batch that expires, and one for the end of a pause.
    def arm(now)
      return if @armed && (@sender.paused_until.nil? || @armed <= @sender.paused_until)

      due = [@sender.next_deadline, @sender.paused_until].compact.min
      return if due.nil?

      @armed = due
      @link.after(due - now) { expire }
    end

    def expire
      @lock.synchronize do
        @armed = nil
        @sender.expire(Clock.now)
        pump
      end
    end
  end
end
