# frozen_string_literal: true

require_relative 'fetch'
require_relative 'offsets'

module Metaq
  # Reads a topic from a place on, partition by partition in order, and goes on with what is sent. Nothing is remembered of it: see
  # {GroupConsumer} for that. To be used by one thread at a time.
  #
  # @example the last ten minutes, and then whatever comes
  #   client.reader('events', from: Time.now - 600).each { |message| puts message.body }
  class Reader
    include Enumerable

    REFRESH = 30

    # @return [String]
    attr_reader :topic

    # @api private
    def initialize(client, topic, partitions:, from:, slice_bytes:, buffer_bytes:, timeout:)
      @client = client
      @topic = topic
      @wanted = partitions && Array(partitions).map { |number| Checks.integer(number, 'partitions', 0..0x7fff_ffff) }
      @from = Offsets.check(from)
      @slice_bytes = Checks.integer(slice_bytes, 'slice_bytes', 64..0x7fff_ffff)
      @buffer_bytes = Checks.integer(buffer_bytes, 'buffer_bytes', 1..)
      @timeout = timeout
      @intake = Intake.new
      @fetches = {}
      @refreshed = Clock.now
      @closed = false
    end

    # @api private
    # @raise [NotFoundError] if there is no such topic or partition
    def start
      places = places(fresh: true)
      raise NotFoundError.new(404, "nobody has the topic #{@topic}", 'read') if places.empty?

      missing = (@wanted || []) - places.map(&:number)
      raise NotFoundError.new(404, "#{@topic} has no partition #{missing.join(', ')}", 'read') unless missing.empty?

      add(places, @from)
      self
    end

    # Takes one message.
    #
    # @param timeout [Numeric] seconds to wait for one
    # @return [ReceivedMessage, nil] nil if none came
    # @raise [DamagedMessageError] at a message whose checksum is wrong; the next call goes on behind it
    # @raise [ForbiddenError, Error] if a partition cannot be read; it is tried again
    def receive(timeout: @timeout)
      Checks.seconds(timeout, 'timeout')
      @client.check
      refresh
      @intake.take(Clock.now + timeout)
    end

    # Takes what is there.
    #
    # @param max [Integer] messages at most
    # @param timeout [Numeric] seconds to wait for the first
    # @return [Array<ReceivedMessage>]
    def poll(max: 1000, timeout: @timeout)
      Checks.integer(max, 'max', 1..)
      messages = []
      while messages.size < max && (message = receive(timeout: messages.empty? ? timeout : 0))
        messages << message
      end
      messages
    end

    # Takes message after message.
    #
    # @param timeout [Numeric, nil] seconds without a message behind which it ends; nil goes on until the reader is closed
    # @yieldparam message [ReceivedMessage]
    # @return [self]
    def each(timeout: nil)
      return enum_for(:each, timeout: timeout) unless block_given?

      loop do
        message = receive(timeout: timeout || @timeout)
        if message
          yield message
        elsif timeout
          break
        end
      end
      self
    rescue ClosedError
      raise unless @closed && !@client.closed?

      self
    end

    # Goes on elsewhere.
    #
    # @param to [Integer, Symbol, Time] offset of a message, :first, :last, or the first message stored then or later
    # @param partition [Integer, nil] all by default
    # @return [nil]
    def seek(to, partition: nil)
      Offsets.check(to)
      chosen = @fetches.values.select { |fetch| partition.nil? || fetch.place.number == partition }
      raise ArgumentError, "partition takes one that is read here, not #{partition.inspect}" if chosen.empty?

      chosen.each { |fetch| fetch.seek(@client.offsets.find(@topic, fetch.place, to, fetch.link, @timeout)) }
      nil
    end

    # @return [Hash{Array(Integer, Integer) => Integer}] broker and partition to the offset of the message that is next
    def positions
      @fetches.transform_values(&:position)
    end

    # @return [nil]
    def close
      return if @closed || @client.forked?

      @closed = true
      @fetches.each_value(&:stop)
      @intake.close
      @client.disown(self)
      nil
    end

    private

    def places(fresh:)
      found = @client.routes.of(@topic, Clock.now + @timeout, fresh: fresh)
      found.select { |place| place.number >= 0 && (@wanted.nil? || @wanted.include?(place.number)) }
    end

    def add(places, from)
      places.each do |place|
        key = [place.broker_id, place.number]
        next if @fetches.key?(key)

        link = @client.link(place.address, place.broker_id)
        start = @client.offsets.find(@topic, place, from, link, @timeout)
        @fetches[key] = Fetch.new(@client, link, @intake, @topic, 'reader', place, start, @slice_bytes, @buffer_bytes).start
      end
    end

    # Partitions that are added to the topic are read from their beginning.
    def refresh
      return if Clock.now - @refreshed < REFRESH

      @refreshed = Clock.now
      add(places(fresh: true), :first)
    rescue ConnectionError
      nil # the next time
    end
  end
end
