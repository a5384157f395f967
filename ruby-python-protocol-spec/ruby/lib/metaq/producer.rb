# frozen_string_literal: true

require 'securerandom'
require_relative 'sending'
require_relative 'core/sender'

module Metaq
  # Sends messages to topics and queues. Any thread may use it. Messages of one thread to one partition are stored in their order, unless
  # the broker is too busy and `ordered` is false.
  #
  # A producer is idempotent by default: what is sent again after a lost connection is recognised by the broker and not stored twice.
  class Producer
    # @api private
    def initialize(client, topic, timeout:, idempotent:, durability:, partitioner:, batch_bytes:, buffer_bytes:, large_bytes:, ordered:)
      @client = client
      @topic = topic && Checks.topic(topic)
      @timeout = Checks.seconds(timeout, 'timeout', least: 0.001)
      @durability = durability && Checks.one_of(durability.to_s, 'durability', %w[os disk])
      partitioner ||= Core::Partitioners::ByKey.new
      raise ArgumentError, "partitioner takes what has a method call, not #{partitioner.inspect}" unless partitioner.respond_to?(:call)

      @partitioner = partitioner
      @batch_bytes = Checks.integer(batch_bytes, 'batch_bytes', 1..)
      @buffer_bytes = Checks.integer(buffer_bytes, 'buffer_bytes', 1..)
      @large_bytes = large_bytes && Checks.integer(large_bytes, 'large_bytes', 1..)
      # Below, nothing needs a look.
      @plain_bytes = @large_bytes || Large::CHUNK / 4
      @ordered = ordered
      # Drawn once in the producer's life; a child of this process cannot use the producer, so no other one has it.
      @id = SecureRandom.random_number((1 << 63) - 1) + 1 if idempotent
      @lock = Mutex.new
      @room = ConditionVariable.new
      @buffered = 0
      @sendings = {}
      @closed = false
    end

    # @return [Integer, nil] by which brokers recognise its batches; nil if it is not idempotent
    attr_reader :id

    # Sends a message and waits until it is stored.
    #
    # @overload send(body, topic: nil, **options)
    #   @param body [Object] what {Message#initialize} takes
    #   @param topic [String, Destination] where to; the producer's own by default
    #   @param options [Hash] what {Message#initialize} takes
    # @overload send(message, topic: nil)
    #   @param message [Message]
    # @return [Core::SendResult]
    # @raise [Error] if it is not stored, or not known to be ({Error#outcome_unknown?})
    # @raise [ArgumentError] if it cannot be a message
    def send(body = nil, topic: nil, **options)
      send_async(body, topic: topic, **options).value
    end

    # Sends several messages and waits until all are stored.
    #
    # @param bodies [Enumerable] bodies or messages
    # @param topic [String, Destination]
    # @param options [Hash] for each that is no message already
    # @return [Array<Core::SendResult>] in the order given
    # @raise [Error] of the first that was not stored; others may be
    def send_batch(bodies, topic: nil, **options)
      bodies.map { |body| send_async(body, topic: topic, **(body.is_a?(Message) ? {} : options)) }.map(&:value)
    end

    # Sends a message without waiting for the broker. Waits for room in the producer's buffer if the broker is slower than the caller.
    #
    # @param (see #send)
    # @return [SendFuture]
    # @raise [TimeoutError] if there is no room in time, or nobody tells where the topic is; then it was not sent
    # @raise [ArgumentError] if it cannot be a message
    def send_async(body = nil, topic: nil, **options)
      @client.check
      topic = topic.nil? ? @topic : Checks.topic(topic)
      raise ArgumentError, 'topic: where to? Neither the producer nor the send has a topic' unless topic

      deadline = Clock.now + @timeout
      if options.empty? && body.is_a?(String) && body.bytesize < @plain_bytes && !@client.marks_origin?
        stored, flag = Message.encode_plain(body, Clock.wall_ms)
        post(topic, nil, stored, flag, deadline)
      else
        send_message(topic, to_message(body, options), deadline)
      end
    end

    # Waits until everything that was sent has an outcome.
    #
    # @param timeout [Numeric] seconds
    # @return [nil]
    # @raise [TimeoutError] if that takes longer
    def flush(timeout = @timeout)
      deadline = Clock.now + timeout
      @lock.synchronize do
        until @buffered.zero?
          left = deadline - Clock.now
          raise TimeoutError, "flush: #{@buffered} bytes have no outcome in #{timeout} s" if left <= 0

          @room.wait(@lock, left)
        end
      end
      nil
    end

    # Waits for what was sent, as long as a send may take, and ends the producer. What has no outcome by then fails.
    #
    # @return [nil]
    def close
      return if @closed

      flush unless @client.forked?
    rescue TimeoutError
      nil # what is left fails with ClosedError, which its futures tell
    ensure
      @closed = true
      unless @client.forked?
        @client.forget_producer(self)
        @sendings.each_value(&:close)
      end
    end

    # @api private
    def send_chunk(topic, place, bytes, deadline)
      post(topic, place, bytes, 0, deadline)
    end

    # What a transaction sends.
    #
    # @api private
    # @param broker_id [Integer, nil] the only broker that it can be at
    # @return [Array(Core::Place, String, Integer)] where it goes, body as it is stored, flag
    def prepare(topic, body, options, broker_id, deadline)
      message = to_message(body, options)
      place = choose(topic, message.key, message.partition, deadline, broker_id)
      message = message.from(@client.origin) if @client.marks_origin?
      [place, *@client.large.store(message, topic, place, @large_bytes, deadline)]
    end

    private

    def choose(topic, key, partition, deadline, broker_id = nil)
      places = writable(topic, deadline)
      places = places.select { |place| place.broker_id == broker_id } if broker_id && places.size > 1
      raise NotFoundError.new(404, "broker #{broker_id} has no topic #{topic}", 'send') if places.empty?

      place = partition ? places.find { |each| each.number == partition } : @partitioner.call(key, places)
      place ||= Core::Place.new(places.first.broker_id, places.first.address, partition, true, true) if partition
      raise ArgumentError, "the partitioner chose #{place.inspect}, which is none of the partitions" unless place.is_a?(Core::Place)

      place
    end

    def to_message(body, options)
      return Message.new(body, **options) unless body.is_a?(Message)
      raise ArgumentError, "#{options.keys.first} goes with a body; a Message has its own: see Message#with" unless options.empty?

      body.is_a?(ReceivedMessage) ? body.with : body
    end

    def send_message(topic, message, deadline)
      place = choose(topic, message.key, message.partition, deadline)
      message = message.from(@client.origin) if @client.marks_origin?
      stored, flag = @client.large.store(message, topic, place, @large_bytes, deadline)
      post(topic, place, stored, flag, deadline)
    end

    # A thread that is killed between the reservation and the batch would leave the buffer smaller for good.
    def post(topic, place, stored, flag, deadline)
      place ||= choose(topic, nil, nil, deadline)
      sending = sending(place, deadline)
      batch, index = Thread.handle_interrupt(Link::UNBROKEN) do
        size = stored.bytesize + Protocol::Storage::HEADER
        reserve(size, deadline)
        add(sending, topic, place.number, stored, flag, deadline, size)
      end
      # The link's thread has a chance to read answers, which it would not get for a tenth of a second from a sender that never waits.
      Thread.pass if index.zero?
      SendFuture.new(batch, index, @timeout)
    end

    def add(sending, topic, number, stored, flag, deadline, size)
      sending.add(topic, number, stored, flag, deadline, size) { |fresh| fresh.when_done { give_back(fresh) } }
    rescue Error
      release(size)
      raise
    end

    # Where nobody has the topic the broker may make it with the first message.
    def writable(topic, deadline)
      places = @client.routes.writable(topic, deadline)
      return places unless places.empty?

      home = @client.home(deadline)
      [Core::Place.new(home.info.broker_id, home.address, -1, true, true)]
    end

    def sending(place, deadline)
      broker = place.broker_id || place.address
      found = @sendings[broker]
      return found if found

      link = @client.link(place.address, place.broker_id)
      link.await(deadline)
      @lock.synchronize do
        raise ClosedError, 'the producer is closed' if @closed

        sender = Core::Sender.new(producer_id: @id, batch_bytes: @batch_bytes, ordered: @ordered)
        @sendings[broker] ||= Sending.new(link, sender, @durability)
      end
    end

    def reserve(bytes, deadline)
      @lock.synchronize do
        raise ClosedError, 'the producer is closed' if @closed

        while @buffered.positive? && @buffered + bytes > @buffer_bytes
          left = deadline - Clock.now
          raise TimeoutError, "send: no room in the producer's buffer of #{@buffer_bytes} bytes in #{@timeout} s" if left <= 0

          Thread.handle_interrupt(Object => :immediate) { @room.wait(@lock, left) }
        end
        @buffered += bytes
      end
    end

    def give_back(batch)
      @client.routes.forget(batch.topic) if batch.partition.negative? || batch.result(0).is_a?(ReplyError)
      release(batch.reserved)
    end

    def release(bytes)
      @lock.synchronize do
        @buffered -= bytes
        @room.broadcast
      end
    end
  end
end
