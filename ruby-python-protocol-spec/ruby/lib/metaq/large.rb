# frozen_string_literal: true

module Metaq
  # Payloads that are too large for one message: chunks in a companion topic (PROTOCOL.md, Large payloads).
  #
  # @api private
  class Large
    CHUNK = 1_048_576
    SUFFIX = '.large'
    UNDER_WAY = 4
    DEFAULT = 8 * CHUNK

    # @param client [Client]
    def initialize(client)
      @client = client
      @lock = Mutex.new
      @made = {}
      @producer = nil
    end

    # What is to be stored for a message: itself, or what says where its payload is. Then the payload has been stored.
    #
    # @param place [Core::Place] where the message goes
    # @param threshold [Integer, nil] bytes of payload; by default 8 MiB or what the broker takes
    # @return [Array(String, Integer)] body as it is stored, flag
    def store(message, topic, place, threshold, deadline)
      size = message.payload.bytesize
      return message.encode(Clock.wall_ms) if size < CHUNK / 4 && !threshold

      link = @client.link(place.address, place.broker_id)
      limit = [threshold || DEFAULT, link.await(deadline).max_body - CHUNK].min
      return message.encode(Clock.wall_ms) if size <= [limit, 0].max

      offsets, companion = upload(message.payload, topic, place, link, deadline)
      large = { large_topic: companion, large_partition: 0, large_offset: offsets.first, large_length: size }
      message.encode(Clock.wall_ms, payload: offsets.pack('q>*'), large: large)
    end

    # @param headers [Hash] of the message
    # @param list [String] its own payload: the offsets
    # @return [String] the whole payload, binary, frozen
    # @raise [Error] if a chunk is not there any more
    def fetch(address, broker_id, headers, list)
      topic, partition, length = headers.values_at(:large_topic, :large_partition, :large_length)
      offsets = Large.chunks(headers, list)
      link = @client.link(address, broker_id)
      whole = String.new(capacity: length, encoding: Encoding::ASCII_8BIT)
      source = Source.new(topic, broker_id)
      offsets.each { |offset| whole << chunk(link, source, partition, offset) }
      raise DamagedMessageError, "a large payload of #{whole.bytesize} bytes instead of #{length}" unless whole.bytesize == length

      whole.freeze
    end

    Source = Struct.new(:topic, :broker_id)
    private_constant :Source

    # @param headers [Hash] of the message
    # @param list [String] its own payload
    # @return [Array<Integer>] the offsets of its chunks
    # @raise [DamagedMessageError] if they cannot be those of its payload
    def self.chunks(headers, list)
      topic, partition, length = headers.values_at(:large_topic, :large_partition, :large_length)
      offsets = list.unpack('q>*')
      # A message must not be able to make its receiver read just anything.
      whole = (list.bytesize % 8).zero? && offsets.size == (length.to_i + CHUNK - 1) / CHUNK && offsets.none?(&:negative?)
      return offsets if whole && topic.end_with?(SUFFIX) && partition&.>=(0) && length&.>=(0)

      raise DamagedMessageError, "a large payload of #{length.inspect} bytes with #{list.bytesize} bytes of offsets in #{topic}"
    end

    def close
      @producer&.close
    end

    private

    def chunk(link, source, partition, offset)
      what = "a part of a large payload in #{source.topic}"
      joiner = Core::Joiner.new(offset, CHUNK + Protocol::Storage::HEADER)
      slice = nil
      until slice
        answer = link.call(what, repeat: true, accept: [200, 301, 404]) do |opaque|
          Protocol::Request.get(source.topic, 'large', partition, *joiner.wanted, opaque)
        end
        raise DamagedMessageError, "#{what} at #{offset} is not there any more" unless answer.is_a?(Protocol::Value)

        slice = joiner.came(answer.bytes)
      end
      slice.take(source, partition).stored
    end

    def upload(payload, topic, place, link, deadline)
      companion = topic.start_with?('temp:') ? "temporary#{SUFFIX}" : topic + SUFFIX
      ensure_companion(companion, link, deadline)
      target = Core::Place.new(place.broker_id, place.address, 0, true, true)
      results = []
      under_way = []
      0.step(payload.bytesize - 1, CHUNK) do |at|
        results << under_way.shift.value if under_way.size == UNDER_WAY
        under_way << producer.send_chunk(companion, target, payload.byteslice(at, CHUNK), deadline)
      end
      results.concat(under_way.map(&:value))
      [results.map(&:offset), companion]
    end

    def ensure_companion(companion, link, deadline)
      key = [companion, link.address]
      return if @made[key]

      link.call("make #{companion}", timeout: [deadline - Clock.now, 0.001].max, repeat: true) do |opaque|
        Protocol::Request.topic('create', companion, opaque, kind: 'topic', ensure: true)
      end
      @lock.synchronize { @made[key] = true }
    end

    # One of its own: chunks need no order, and messages are not to wait behind them.
    def producer
      @lock.synchronize { @producer ||= @client.producer(nil, batch_bytes: CHUNK, large_bytes: nil) }
    end
  end
end
