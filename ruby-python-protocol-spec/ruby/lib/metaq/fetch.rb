# frozen_string_literal: true

require_relative 'core/slice'

module Metaq
  # Reads one partition ahead of the application: asks for the next slice as soon as there is room for it, and waits at the broker where
  # there is nothing.
  #
  # @api private
  class Fetch
    WAIT_MS = 20_000
    PAUSE = 0.25
    LONG_PAUSE = 1.0

    # @return [Core::Place]
    attr_reader :place
    # @return [String]
    attr_reader :topic
    # @return [Integer] where the application goes on
    attr_accessor :position

    # @param intake [Intake]
    # @param group [String] for the broker's operator
    # @param start [Integer] offset
    def initialize(client, link, intake, topic, group, place, start, slice_bytes, buffer_bytes)
      @client = client
      @link = link
      @intake = intake
      @topic = topic
      @group = group
      @place = place
      @position = start
      @joiner = Core::Joiner.new(start, slice_bytes)
      @buffer_bytes = buffer_bytes
      @lock = Mutex.new
      @buffered = 0
      @turn = 0
      @asked = nil
      @stopped = false
      link.listen(self)
    end

    # @return [Link]
    attr_reader :link
    # @return [Integer] how often it was sent elsewhere; what was read before does not count any more
    attr_reader :turn

    # What {ReceivedMessage} wants to know of where it was read.
    def broker_id
      @place.broker_id
    end

    def fetch(_message, headers, list)
      @client.large.fetch(@link.address, broker_id, headers, list)
    end

    def start
      ask
      self
    end

    def stop
      @link.unlisten(self)
      @lock.synchronize do
        @stopped = true
        @turn += 1
      end
    end

    # Goes on elsewhere. What was read ahead is dropped.
    def seek(offset)
      @lock.synchronize do
        @turn += 1
        @asked = nil
        @position = offset
        @joiner.restart(offset)
        @buffered = 0
      end
      @intake.drop(self)
      ask
    end

    # A slice was handed out.
    def used(bytes)
      @lock.synchronize { @buffered -= bytes }
      ask
    end

    def link_up(_link, _info)
      @lock.synchronize { @asked = nil }
      ask
    end

    def link_down(_link, _error)
      nil # what is under way is told so, and goes on when the link is up
    end

    private

    # Asks for the next slice if none is under way and there is room.
    def ask
      @lock.synchronize do
        return if @stopped || @asked || @buffered >= @buffer_bytes

        @asked = Clock.now
        turn = @turn
        wait = @link.info&.feature?('get-wait') ? WAIT_MS : nil
        @link.post(Clock.now + ((wait || 0) / 1000) + 30, ->(outcome) { answered(turn, outcome) }) do |opaque|
          Protocol::Request.get(@topic, @group, @place.number, *@joiner.wanted, opaque, wait: wait)
        end
      end
    rescue ConnectionError
      nil # link_up asks again
    rescue ClosedError
      @intake.changed
    end

    def answered(turn, outcome)
      asked = @lock.synchronize do
        return if turn != @turn

        @asked.tap { @asked = nil }
      end
      case outcome
      when Protocol::Value then came(turn, outcome.bytes)
      when Protocol::Result then refused(outcome, Clock.now - (asked || 0))
      when TimeoutError then ask
      when ConnectionError then nil # link_up asks again
      else @intake.fail(outcome)
      end
    end

    def came(turn, bytes)
      slice = @lock.synchronize do
        return if turn != @turn

        @joiner.came(bytes)&.tap { |whole| @buffered += whole.bytesize }
      end
      @intake.push(self, slice, turn) if slice
      ask
    rescue DamagedMessageError => e
      @intake.fail(e)
    end

    def refused(result, took)
      case result.code
      when 404
        # A broker that could not wait must not be asked all the time.
        took < PAUSE ? later(PAUSE - took) : ask
      when 301
        moved(Integer(result.text.strip, 10))
      else
        error = ReplyError.of(result.code, result.text, "read #{@topic}-#{@place.number}")
        @intake.fail(error) unless error.retriable?
        later(LONG_PAUSE)
      end
    end

    def moved(offset)
      @lock.synchronize { @joiner.restart(offset) }
      @intake.moved(self, offset)
      ask
    end

    def later(seconds)
      @link.after(seconds) { ask }
    end
  end

  # What was read ahead of the application, of any number of partitions.
  #
  # @api private
  class Intake
    def initialize
      @lock = Mutex.new
      @arrived = ConditionVariable.new
      @slices = []
      @error = nil
      @closed = false
    end

    def push(fetch, slice, turn)
      @lock.synchronize do
        @slices << [fetch, slice, turn]
        @arrived.broadcast
      end
    end

    # A failure that the application has to know; it is told once.
    def fail(error)
      @lock.synchronize do
        @error = error
        @arrived.broadcast
      end
    end

    def moved(fetch, offset)
      @lock.synchronize { fetch.position = offset unless @slices.any? { |owner, _| owner.equal?(fetch) } }
    end

    def drop(fetch)
      @lock.synchronize { @slices.reject! { |owner, _| owner.equal?(fetch) } }
    end

    # Somebody who waits is to look around.
    def changed
      @lock.synchronize do
        @looked = false
        @arrived.broadcast
      end
    end

    def close
      @lock.synchronize do
        @closed = true
        @slices.clear
        @arrived.broadcast
      end
    end

    # @param deadline [::Float]
    # @return [ReceivedMessage, nil] the next one; nil if there was none by then, or somebody called {#changed}
    # @raise [Error] what a partition failed with
    def take(deadline)
      used = nil
      message = @lock.synchronize do
        return nil unless slice?(deadline)

        fetch, slice = @slices.first
        begin
          fetch.position = slice.position
          slice.take(fetch, fetch.place.number)
        ensure
          fetch.position = slice.position
          used = @slices.shift if slice.end?
        end
      end
      message
    ensure
      used[0].used(used[1].bytesize) if used
    end

    private

    def slice?(deadline)
      @looked = true
      loop do
        @slices.shift while @slices.any? && @slices.first[0].turn != @slices.first[2]
        return true if @slices.any?
        raise ClosedError, 'the consumer is closed' if @closed

        error = @error
        @error = nil
        raise error.clone if error

        left = deadline - Clock.now
        return false if left <= 0 || !@looked

        @arrived.wait(@lock, left)
      end
    end
  end
end
