# frozen_string_literal: true

require_relative 'core/parts'

module Metaq
  # Sends and acknowledgements that become one step: all of it or nothing. Everything is gathered here and goes to the broker with the
  # commit. All of it has to be at one broker. To be used by one thread at a time.
  #
  # @example
  #   client.transaction do |transaction|
  #     message = receiver.receive
  #     transaction.send("seen: #{message.body}", topic: 'seen')
  #     transaction.ack(message)
  #   end
  class Transaction
    # @api private
    def initialize(client, producer, timeout)
      @client = client
      @producer = producer
      @timeout = timeout
      @parts = Core::Parts.new
      @link = nil
      @done = false
      @acknowledged = []
    end

    # Adds a message.
    #
    # @param body [Object] see {Message#initialize}, or a {Message}
    # @param topic [String, Destination]
    # @param options [Hash] see {Message#initialize}
    # @return [nil]
    # @raise [ArgumentError] if it cannot be a message
    def send(body = nil, topic:, **options)
      open!
      topic = Checks.topic(topic)
      deadline = Clock.now + @timeout
      place, stored, flag = @producer.prepare(topic, body, options, @link&.info&.broker_id, deadline)
      at(@client.link(place.address, place.broker_id))
      @parts.send(topic, place.number, stored, flag)
      nil
    end

    # Adds acknowledgements.
    #
    # @param messages [Array<ReceivedMessage>] of receivers of this client
    # @return [nil]
    def ack(*messages)
      open!
      messages.flatten.each do |message|
        seat = message.owner.seat_of(message)
        at(seat.link)
        @parts.ack(seat, message.partition, message.offset, message.next_offset)
        @acknowledged << message
      end
      nil
    end

    # Has the broker do it all.
    #
    # @return [nil]
    # @raise [ConflictError] if a message is somebody else's by now: nothing was done
    # @raise [Error] nothing was done, unless {Error#outcome_unknown?}
    def commit
      open!
      @done = true
      return if @parts.empty?

      body = @parts.encode
      @client.steps.call('commit', @link || @client.home(Clock.now + @timeout), body.bytesize, @timeout) do |opaque, numbers|
        Protocol::Request.transact(body, opaque, **numbers)
      end
      @acknowledged.each { |message| message.owner.unhold(message) }
      nil
    end

    # Does nothing of it. Messages that would have been acknowledged are still the receiver's.
    #
    # @return [nil]
    def rollback
      @done = true
      nil
    end

    # @return [Boolean]
    def done?
      @done
    end

    private

    def open!
      @client.check
      raise ArgumentError, 'this transaction is over' if @done
    end

    def at(link)
      if @link && !@link.equal?(link)
        raise ArgumentError, "a transaction is of one broker: this is at #{link.address}, the rest at #{@link.address}"
      end

      @link = link
    end
  end

  # Steps that are done once, however often they are sent: each with a number of a producer's id that appends nothing.
  #
  # @api private
  class Steps
    def initialize
      @lock = Mutex.new
      @lanes = {}
    end

    # One step at a time to each broker, so that numbers arrive in their order.
    #
    # @yieldparam opaque [Integer]
    # @yieldparam numbers [Hash] producer and seq
    # @return [Protocol::Result]
    def call(what, link, size, timeout)
      lane = @lock.synchronize { @lanes[link] ||= [Mutex.new, SecureRandom.random_number((1 << 63) - 1) + 1, -1] }
      deadline = Clock.now + timeout
      max = link.await(deadline).max_body
      raise TooLargeError.new(413, "#{size} bytes are more than the #{max} that the broker takes", what) if size > max

      lane[0].synchronize do
        lane[2] += 1
        link.call(what, timeout: [deadline - Clock.now, 0.001].max, repeat: true) do |opaque|
          yield opaque, { producer: lane[1], seq: lane[2] }
        end
      end
    end
  end
end
