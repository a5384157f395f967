# frozen_string_literal: true

require_relative 'core/acknowledgements'
require_relative 'core/credit'

module Metaq
  # One consumer at one broker: attached, attached again after a lost connection, with credit and acknowledgements.
  #
  # @api private
  class Seat
    @numbers = 0
    @numbers_lock = Mutex.new

    # @return [Integer] a consumer's number that no other one of this process has
    def self.number
      @numbers_lock.synchronize { @numbers = (@numbers % 0x7fff_ffff) + 1 }
    end

    # @return [Link]
    attr_reader :link
    # @return [Integer] the consumer's number
    attr_reader :consumer
    # @return [Integer] how many connections it had
    attr_reader :epoch
    # @return [Error, nil] why it is no more
    attr_reader :ended

    # @param receiver [#delivered, #changed]
    # @param spec [Hash] topic, kind, selector, nolocal, origin
    def initialize(link, receiver, name, spec, prefetch, prefetch_bytes)
      @link = link
      @receiver = receiver
      @name = name
      @spec = spec
      @consumer = Seat.number
      @lock = Mutex.new
      @credit = Core::Credit.new(prefetch, prefetch_bytes)
      @acks = Core::Acknowledgements.new
      @acks_sent = ConditionVariable.new
      @epoch = 1
    end

    # @raise [Error] if the broker does not let it
    def attach(deadline)
      @link.seat(@consumer, self)
      @link.call("attach to #{@spec[:topic]}", timeout: [deadline - Clock.now, 0.001].max, repeat: true, keep: self) { |o| request(o) }
      renew
    rescue Error
      @link.seat(@consumer, nil)
      raise
    end

    # Makes it again, on a new connection.
    def restore(handshake)
      return if @ended

      handshake.ask("attach to #{@spec[:topic]}", patient: true) { |opaque| request(opaque) }
    rescue ReplyError => e
      finish(e)
    end

    # First what was acknowledged: then it does not come again. Then credit.
    def restored(_link)
      return if @ended

      @lock.synchronize do
        @epoch += 1
        @acks.lost
        @credit.restart
      end
      @receiver.reattached(self)
      send_acks
      renew
    end

    def deliver(frame)
      @receiver.delivered(self, frame)
    end

    def detached(text)
      finish(DetachedError.new("the broker ended the consumer of #{@spec[:topic]}: #{text}"))
    end

    # A message was handed out.
    def used(bytes)
      @lock.synchronize { @credit.used(bytes) }
      renew
    end

    # @param messages [Integer]
    def credit(messages)
      @link.write(Protocol::Request.credit(@consumer, messages, 0x7fff_ffff))
    end

    # Has what is ready delivered now, at most so many messages.
    #
    # @return [Integer] how many there were; they have been delivered when it returns
    def drain(messages, timeout)
      answer = @link.call('drain', timeout: timeout, accept: [200, 404]) { |opaque| Protocol::Request.drain(@consumer, messages, opaque) }
      answer.ok? ? answer.text.to_i : 0
    end

    # What the broker may deliver was taken back by a drain.
    #
    # @param waiting [Integer] messages that were not yet handed out
    def recredit(waiting)
      @lock.synchronize { @credit.restart(waiting) }
      renew
    end

    def ack_later(partition, from, to)
      @lock.synchronize { @acks.add(partition, from, to) }
      send_acks
    end

    # @return [Array(Integer, Boolean)] messages missed; whether the answer to a first attempt was lost, which may have done it
    def ack(ranges, timeout)
      tries = 0
      answer = @link.call('acknowledge', timeout: timeout, repeat: true) do |opaque|
        tries += 1
        Protocol::Request.ack(@consumer, ranges, opaque)
      end
      [answer.text[/missed (\d+)/, 1].to_i, tries > 1]
    end

    # Reject and release: a lost connection has given the messages back, too.
    def give_back(what, timeout, &request)
      @link.call(what, timeout: timeout, accept: [200, 404], &request)
    rescue TimeoutError
      raise
    rescue ConnectionError
      nil
    end

    def missed
      @lock.synchronize { @acks.missed }
    end

    # Waits until all acknowledgements are answered.
    #
    # @return [Boolean] whether they are
    def flush(deadline)
      @lock.synchronize do
        until @acks.empty? || @ended
          left = deadline - Clock.now
          return false if left <= 0

          @acks_sent.wait(@lock, left)
        end
      end
      true
    end

    # @param delivered [Protocol::Ranges] what the application has had and not settled
    def detach(delivered, timeout)
      flush(Clock.now + timeout)
      @link.forget(self)
      return if @ended || !@link.up?

      ranges = delivered.empty? || delivered.size > 250 ? nil : delivered
      @link.call('detach', timeout: timeout, accept: [200, 404]) do |opaque|
        Protocol::Request.detach(@consumer, opaque, delivered: ranges)
      end
    rescue ConnectionError, ClosedError
      nil # a lost connection detaches, too
    ensure
      @link.seat(@consumer, nil)
    end

    private

    def request(opaque)
      Protocol::Request.attach(@consumer, @name, opaque, **@spec)
    end

    def renew
      renewal = @lock.synchronize { @credit.renewal }
      @link.write(Protocol::Request.credit(@consumer, *renewal)) if renewal
    end

    def send_acks
      @lock.synchronize do
        ranges = @acks.take or return
        handler = method(:acks_answered)
        begin
          @link.post(Clock.now + 3600, handler) { |opaque| Protocol::Request.ack(@consumer, ranges, opaque) }
        rescue ConnectionError, ClosedError
          @acks.lost
        end
      end
    end

    # One that is lost with its connection is sent again by {#restored}.
    def acks_answered(outcome)
      return unless outcome.is_a?(Protocol::Result)

      @lock.synchronize do
        @acks.answered(outcome.ok? ? outcome.text : '')
        @acks_sent.broadcast
      end
      send_acks
    end

    def finish(error)
      @lock.synchronize do
        @ended = error
        @acks_sent.broadcast
      end
      @link.forget(self)
      @link.seat(@consumer, nil)
      @receiver.changed
    end
  end
end
