# frozen_string_literal: true

require_relative 'headers'
require_relative 'payload'
require_relative 'protocol/storage'

module Metaq
  # A message: body, headers and properties as JMS sees them. A new one is for sending; one that was received is a {ReceivedMessage}.
  # Messages are not changed: {#with} makes another one.
  #
  # @example
  #   Metaq::Message.new('hello', priority: 9, properties: { 'color' => 'blue', 'size' => Metaq::Int.new(3) })
  class Message
    SETTABLE = %i[message_id timestamp expiration delivery_time priority persistent correlation_id reply_to type destination origin
                  group_id group_seq user_id].freeze

    DEFAULTS = { priority: 4, delivery_mode: 2 }.freeze
    private_constant :DEFAULTS

    # @return [Object] see {Payload} for what stands for which kind
    attr_reader :body
    # @return [Symbol] :none, :text, :bytes, :map, :stream, :object or :null_text
    attr_reader :kind
    # @return [String, nil] the attribute of MetaQ 1.4
    attr_reader :attribute
    # @return [String, nil] what decides on the partition; not sent
    attr_reader :key
    # @return [Integer, nil] the partition it is to go to; not sent
    attr_reader :partition
    # @return [Integer] bits of the flag that belong to the sender
    attr_reader :flag
    # @return [Float, nil] seconds until it expires, counted from the send
    attr_reader :time_to_live
    # @return [Float, nil] seconds for which it is held back, counted from the send
    attr_reader :delay

    # @param body [nil, String, Hash, Array, JavaObject, Object] a String in UTF-8 is a text, one in ASCII-8BIT bytes
    # @param properties [Hash{String, Symbol => Object}] nil, true, false, Integer, ::Float, String or {Typed}; JMS does not see those of
    #   bytes (a String in ASCII-8BIT) and {Char}
    # @param attribute [String, nil] for applications of MetaQ 1.4
    # @param key [String, nil] messages of one key go to one partition
    # @param partition [Integer, nil] the partition itself
    # @param time_to_live [Numeric, nil] seconds
    # @param delay [Numeric, nil] seconds
    # @param flag [Integer] bits above the six that MetaQ knows
    # @param headers [Hash] any of {SETTABLE}. Times are a Time or milliseconds since 1970; persistent is true or false
    # @raise [ArgumentError] if anything of it cannot be sent
    def initialize(body = nil, properties: {}, attribute: nil, key: nil, partition: nil, time_to_live: nil, delay: nil, flag: 0, **headers)
      @kind, @payload = Payload.encode(body)
      @body = body
      @properties = Message.typed(properties)
      @attribute = attribute.nil? ? nil : Protocol::Escape.utf8(attribute)
      @key = key.nil? ? nil : Protocol::Escape.utf8(key)
      @partition = partition.nil? ? nil : Headers.ranged(:partition, partition, 0..0x7fffffff)
      @time_to_live = checked_duration(:time_to_live, time_to_live)
      @delay = checked_duration(:delay, delay)
      @flag = Message.check_flag(flag)
      @headers = Message.checked(headers)
    end

    # @return [Hash{String => Object}] names and plain values
    def properties
      @plain_properties ||= typed_properties.transform_values(&:last).freeze
    end

    # @param name [String, Symbol]
    # @return [Object, nil] the value of a property
    def [](name)
      properties[name.to_s]
    end

    # @param name [String, Symbol]
    # @return [Symbol, nil] :null, :boolean, :byte, :short, :int, :long, :float, :double or :string; also :bytes and :char, which JMS does
    #   not know; nil if there is no such property
    def property_type(name)
      found = typed_properties[name.to_s]
      found && Properties::TYPES[found.first]
    end

    # @return [Hash{String => Object}] the properties with what is needed to send them again as what they were
    def wrapped_properties
      typed_properties.transform_values { |type, value| Properties.wrapped(type, value) }
    end

    # @return [Hash{Symbol => Object}] the headers that are there
    def headers
      all_headers.reject { |name, _| name.to_s.start_with?('large_') || name == :body_kind }
    end

    # @!method message_id
    #   @return [String, nil]
    # @!method timestamp
    #   @return [Integer, nil] when it was sent, milliseconds since 1970
    # @!method expiration
    #   @return [Integer, nil] when it expires, milliseconds since 1970
    # @!method delivery_time
    #   @return [Integer, nil] before when it is not delivered, milliseconds since 1970
    # @!method correlation_id
    #   @return [String, nil] UTF-8, or binary if it is bytes
    # @!method reply_to
    #   @return [String, nil] such as queue://answers
    # @!method type
    #   @return [String, nil]
    # @!method destination
    #   @return [String, nil] such as queue://orders
    # @!method origin
    #   @return [String, nil] client id of the sender, for receivers that do not want their own messages
    # @!method group_id
    #   @return [String, nil] messages of a group go to one consumer at a time, in their order
    # @!method group_seq
    #   @return [Integer, nil]
    # @!method user_id
    #   @return [String, nil]
    (SETTABLE - %i[priority persistent]).each do |name|
      define_method(name) { all_headers[name] }
    end

    # @return [Integer] 0 to 9
    def priority
      all_headers.fetch(:priority, 4)
    end

    # @return [Boolean]
    def persistent
      all_headers.fetch(:delivery_mode, 2) != 1
    end
    alias persistent? persistent

    # Makes another message that differs in some things. What the broker and the sender give (message id, times, destination, origin,
    # user id) is not carried over.
    #
    # @param changes [Hash] as for {#initialize}, and :body
    # @return [Message]
    def with(**changes)
      fresh = copy
      fresh.send(:change, changes)
      fresh
    end

    # @api private
    # @return [Message] the same, saying who sends it
    def from(origin)
      return self if origin.nil? || all_headers.key?(:origin)

      fresh = dup
      fresh.instance_variable_set(:@headers, all_headers.merge(origin: origin))
      fresh
    end

    # The message as it is stored.
    #
    # @api private
    # @param now_ms [Integer, nil] milliseconds since 1970; nil for a message that does not say when it was sent
    # @param payload [String] of a large message the offsets of its chunks
    # @param large [Hash, nil] headers of a large message
    # @param block [Boolean] whether there is to be a property block
    # @return [Array(String, Integer)] body as it is stored, flag
    def encode(now_ms, payload: @payload, large: nil, block: block?)
      flag = @flag
      block = large || block ? property_block(now_ms, large) : nil
      return [payload, flag] unless block || @attribute

      bytes = ''.b
      if @attribute
        flag |= Protocol::Storage::ATTRIBUTE
        bytes << [@attribute.bytesize].pack('N') << @attribute.b
      end
      if block
        flag |= Protocol::Storage::PROPERTIES | flags(large)
        bytes << [block.bytesize].pack('N') << block
      end
      [bytes << payload, flag]
    end

    # @api private
    attr_reader :payload

    # The same for bytes or a text without anything else: what is sent most.
    #
    # @api private
    # @return [Array(String, Integer)]
    def self.encode_plain(body, now_ms)
      return [body, 0] if body.encoding == Encoding::ASCII_8BIT

      text = Protocol::Escape.utf8(body)
      [[15, 5, 0, 2, now_ms, 2, 0, 12, 1].pack('NCCCq>CCCC') << text.b, Protocol::Storage::PROPERTIES]
    end

    # @api private
    def self.typed(properties)
      raise ArgumentError, "properties takes a Hash, not #{properties.inspect}" unless properties.is_a?(Hash)

      properties.to_h do |name, value|
        name = Protocol::Escape.utf8(name.is_a?(Symbol) ? name.to_s : name)
        raise ArgumentError, "a property's name has 1 to 65535 bytes: #{name.inspect}" unless name.bytesize.between?(1, 65_535)

        [name, Properties.typed(value)]
      end
    end

    # @api private
    def self.checked(headers)
      unknown = headers.keys - SETTABLE
      raise ArgumentError, "a message has no #{unknown.join(', ')}; it has #{SETTABLE.join(', ')}" unless unknown.empty?

      checked = headers.compact.to_h do |name, value|
        next [:delivery_mode, persistence(value)] if name == :persistent
        [name, Headers.check(name, value)]
      end
      # What they are when absent need not be said, and a priority would cost the broker a look at each message.
      checked.reject { |name, value| DEFAULTS[name] == value }
    end

    # @api private
    def self.persistence(value)
      return value ? 2 : 1 if [true, false].include?(value)

      raise ArgumentError, "persistent takes true or false, not #{value.inspect}"
    end

    # @api private
    def self.check_flag(flag)
      return flag if flag.is_a?(Integer) && flag.between?(-(1 << 31), (1 << 32) - 1) && (flag & 63).zero?

      raise ArgumentError, "flag takes 32 bits of which the lowest six are MetaQ's own, not #{flag.inspect}"
    end

    protected

    def all_headers
      @headers
    end

    def typed_properties
      @properties
    end

    private

    def checked_duration(name, value)
      Headers.duration(name, value) unless value.nil?
      value
    end

    def copy
      dup
    end

    DROPPED = %i[message_id timestamp expiration delivery_time destination origin user_id].freeze

    def change(changes)
      @plain_properties = nil
      @headers = all_headers.reject { |name, _| DROPPED.include?(name) }
      if changes.key?(:body)
        @body = changes.delete(:body)
        @kind, @payload = Payload.encode(@body)
      end
      @properties = Message.typed(changes.delete(:properties)) if changes.key?(:properties)
      @attribute = text(changes.delete(:attribute)) if changes.key?(:attribute)
      @key = text(changes.delete(:key)) if changes.key?(:key)
      @time_to_live = checked_duration(:time_to_live, changes.delete(:time_to_live)) if changes.key?(:time_to_live)
      @delay = checked_duration(:delay, changes.delete(:delay)) if changes.key?(:delay)
      @partition = changes.delete(:partition) if changes.key?(:partition)
      @flag = Message.check_flag(changes.delete(:flag)) if changes.key?(:flag)
      fresh = Message.checked(changes)
      # Whatever is given takes the place of what was there, also if it is what the header is when absent.
      given = changes.keys.map { |name| name == :persistent ? :delivery_mode : name }
      @headers = @headers.reject { |name, _| given.include?(name) }.merge(fresh)
    end

    def text(value)
      value.nil? ? nil : Protocol::Escape.utf8(value)
    end

    # Bytes without anything else need none: that is what a message without one is.
    def block?
      @kind != :bytes || !typed_properties.empty? || !all_headers.empty? || @time_to_live || @delay
    end

    def property_block(now_ms, large)
      values = all_headers.dup
      values[:body_kind] = Payload::KINDS.index(@kind) unless @kind == :none
      values[:timestamp] ||= now_ms if now_ms
      values[:expiration] = now_ms + Headers.duration(:time_to_live, @time_to_live) if @time_to_live
      values[:delivery_time] = now_ms + Headers.duration(:delay, @delay) if @delay
      values.update(large) if large
      block = ''.b
      Headers::TABLE.each { |name, (number, type)| write_header(block, number, type, values[name]) if values.key?(name) }
      typed_properties.each { |name, (type, value)| Properties.write_named(block, name, type, value) }
      block
    end

    # A correlation id alone may be text or bytes.
    def write_header(block, number, type, value)
      type = Properties::BYTES if type == Properties::STRING && value.encoding == Encoding::ASCII_8BIT
      Properties.write_header(block, number, type, value)
    end

    def flags(large)
      flags = 0
      flags |= Protocol::Storage::SCHEDULED if all_headers.key?(:priority) || all_headers.key?(:delivery_time) || @delay
      flags |= Protocol::Storage::GROUPED if all_headers.key?(:group_id)
      flags |= Protocol::Storage::EXPIRES if all_headers.key?(:expiration) || @time_to_live
      flags |= Protocol::Storage::LARGE if large
      flags
    end
  end
end
