# frozen_string_literal: true

require_relative 'message'

module Metaq
  # A message as it was stored. Headers, properties and body are looked into when they are asked for.
  class ReceivedMessage < Message
    # @return [Integer] the broker's number of the message
    attr_reader :id
    # @return [String] the topic or queue it was read from
    attr_reader :topic
    # @return [Integer] the partition it was read from
    attr_reader :partition
    # @return [Integer] its place in the partition
    attr_reader :offset
    # @return [Integer] how often it was delivered, this time included; 1 where deliveries are not counted
    attr_reader :delivery_count
    # @return [Integer] all bits of the flag
    attr_reader :flag
    # @return [Integer, nil] the broker it was read from
    attr_reader :broker_id
    # @return [String] everything that is stored as its body, binary
    attr_reader :stored

    # Reads the message at a place.
    #
    # @api private
    # @param bytes [String] messages in storage format
    # @param at [Integer] where it begins in them
    # @param source [#topic, #broker_id, #fetch] who reads
    # @raise [DamagedMessageError] if the checksum is not that of the body
    def self.read(bytes, at, source, partition, offset, delivery_count = 1, owner = nil)
      length, crc, id, flag = Protocol::Storage.header(bytes, at)
      stored = bytes.byteslice(at + Protocol::Storage::HEADER, length)
      unless Zlib.crc32(stored) & 0x7fffffff == crc
        raise DamagedMessageError, "the checksum of the message at offset #{offset} of #{source.topic}-#{partition} is wrong"
      end

      new(stored, flag, id, source, partition, offset, delivery_count, owner)
    end

    # @api private
    def initialize(stored, flag, id, source, partition, offset, delivery_count = 1, owner = nil)
      @stored = stored
      @flag = flag
      @id = id
      @source = source
      @topic = source.topic
      @broker_id = source.broker_id
      @partition = partition
      @offset = offset
      @delivery_count = delivery_count
      @owner = owner
      @parsed = false
    end

    # @return [Integer] where the next message begins
    def next_offset
      @offset + Protocol::Storage::HEADER + @stored.bytesize
    end

    # @return [Boolean] whether somebody had it before
    def redelivered?
      @delivery_count > 1
    end

    # (see Message#attribute)
    def attribute
      parse
      @attribute
    end

    # (see Message#kind)
    def kind
      parse
      @kind
    end

    # @return [String, nil] what is wrong with its attribute or properties. Then it is shown as bytes, without properties, as JMS does
    def malformed
      parse
      @malformed
    end

    # @return [Boolean] whether the payload is stored in chunks elsewhere
    def large?
      parse
      @headers.key?(:large_topic)
    end

    # @return [String] the payload as bytes. That of a large message is fetched, which takes as long as it takes
    # @raise [Error] if a part of it cannot be fetched
    def payload
      parse
      return @payload unless large?

      @whole ||= @source.fetch(self, @headers, @payload)
    end

    # (see Message#body)
    # @raise [DamagedMessageError] if the payload is not of its kind
    def body
      return @body if defined?(@body)

      @body = Payload.plain(typed_body)
    end

    # @return [Object] as {#body}, but values of maps and streams are {Typed} where Ruby does not tell their type
    def typed_body
      Payload.decode(kind, payload)
    end

    # @param name [String, Symbol, Integer] of an entry of a map, or index of a value of a stream
    # @return [Symbol, nil] its type, as for {#property_type}; also :bytes and :char
    def body_type(name)
      case (typed = typed_body)
      when Hash then typed.key?(name.to_s) && Properties::TYPES[Properties.typed(typed[name.to_s]).first] || nil
      when Array then name.between?(-typed.size, typed.size - 1) ? Properties::TYPES[Properties.typed(typed[name]).first] : nil
      end
    end

    # @return [String] the header, or what stands for it where there is none
    def message_id
      all_headers.fetch(:message_id) { "ID:#{@id}" }
    end

    # @return [Time, nil] when it was sent
    def sent_at
      timestamp && Time.at(timestamp / 1000, timestamp % 1000, :millisecond)
    end

    # @return [String] such as orders-0@27
    def inspect
      "#<Metaq::ReceivedMessage #{@topic}-#{@partition}@#{@offset} id=#{@id} #{kind} #{@stored.bytesize} bytes>"
    end

    # Says that it is done. Only for what a {Receiver} gave.
    #
    # @param wait [Boolean] for the broker's answer
    # @return [nil]
    # @raise [MissedError] if it is somebody else's by now
    def ack(wait: true)
      owner.ack(self, wait: wait)
    end

    # Says that its processing failed: it comes again, with a delivery count that is one higher.
    #
    # @param delay [Numeric, nil] seconds until then; as the destination's settings say by default
    # @param dead [Boolean] whether it goes to the dead letter queue instead
    # @return [nil]
    def reject(delay: nil, dead: false)
      owner.reject(self, delay: delay, dead: dead)
    end

    # Gives it back as if it had not been delivered.
    #
    # @return [nil]
    def release
      owner.release(self)
    end

    # @api private
    # @return [Receiver] who it is to be acknowledged to
    def owner
      @owner or raise ArgumentError, 'only what a receiver of a queue or subscription gave can be acknowledged, rejected or released'
    end

    protected

    def all_headers
      parse
      @headers
    end

    def typed_properties
      parse
      @properties
    end

    private

    # What is malformed is shown as bytes, as JMS does.
    def parse
      return if @parsed

      at = read_attribute
      at = read_block(at) if at && @flag & Protocol::Storage::PROPERTIES != 0
      unless at
        @headers = {}
        @properties = {}
        at = 0
      end
      unless @headers
        @headers = {}
        @properties = {}
      end
      @kind = kind_of_block
      @payload = at.zero? ? @stored : @stored.byteslice(at, @stored.bytesize - at)
      @parsed = true
    end

    def kind_of_block
      return :bytes if @flag & Protocol::Storage::PROPERTIES == 0 || @malformed

      Payload::KINDS[@headers.fetch(:body_kind, 0)] || :bytes
    end

    def read_attribute
      return 0 if @flag & Protocol::Storage::ATTRIBUTE == 0

      stop = part(0) or return nil
      text = @stored.byteslice(4, stop - 4).force_encoding(Encoding::UTF_8)
      @attribute = (text.valid_encoding? ? text : text.scrub).freeze
      stop
    end

    # Where the part that begins with its length ends, nil if it does not end within the body.
    def part(at)
      length = at + 4 <= @stored.bytesize ? Protocol::Storage.length(@stored, at) : -1
      return at + 4 + length if length >= 0 && at + 4 + length <= @stored.bytesize

      @malformed = 'an attribute or a property block that is longer than the message'
      nil
    end

    def read_block(at)
      stop = part(at) or return nil
      headers = {}
      properties = {}
      reader = Properties::Reader.new(@stored, at + 4, stop)
      until reader.end?
        name, type, value = reader.entry
        if name.is_a?(Integer)
          keep_header(headers, name, type, value)
        else
          properties[name] = [type, value].freeze unless properties.key?(name)
        end
      end
      @headers = headers.freeze
      @properties = properties.freeze
      stop
    rescue DamagedMessageError => e
      @malformed = e.message
      nil
    end

    def keep_header(headers, number, type, value)
      name = Headers::NAMES[number]
      return if name.nil? || headers.key?(name)

      expected = Headers::TABLE[name].last
      fits = type == expected || (name == :correlation_id && type == Properties::BYTES)
      raise DamagedMessageError, "the header #{name} is a #{Properties::TYPES[type]}" unless fits

      headers[name] = value
    end

    # A copy to send is a message like one that was made here; a large payload is fetched for it.
    def copy
      whole = payload
      fresh = Message.allocate
      state = { kind: kind, payload: whole, body: body, properties: typed_properties, attribute: attribute, headers: all_headers }
      state[:headers] = state[:headers].reject { |name, _| name == :body_kind || name.to_s.start_with?('large_') }
      state[:flag] = @flag & ~63
      state.each { |name, value| fresh.instance_variable_set("@#{name}", value) }
      fresh
    end
  end
end
