# frozen_string_literal: true

require_relative 'properties'

module Metaq
  # Bodies as bytes (PROTOCOL.md, Payloads).
  #
  # | kind | Ruby |
  # |---|---|
  # | :none | nil |
  # | :text | String in UTF-8 (any other text encoding is converted) |
  # | :bytes | String in ASCII-8BIT |
  # | :map | Hash of names and values |
  # | :stream | Array of values |
  # | :object | {JavaObject} |
  # | :null_text | {NULL_TEXT} |
  module Payload
    KINDS = %i[none text bytes map stream object null_text].freeze
    NOTHING = ''.b.freeze

    module_function

    # @param body [Object] see the table
    # @return [Array(Symbol, String)] kind and payload, binary
    # @raise [ArgumentError] if the body is none of these, holds a value without a type, or is text that is not valid
    def encode(body)
      case body
      when nil then [:none, NOTHING]
      when String then body.encoding == Encoding::ASCII_8BIT ? [:bytes, body] : [:text, Protocol::Escape.utf8(body).b]
      when Hash then [:map, map(body)]
      when Array then [:stream, stream(body)]
      when JavaObject then [:object, body.bytes]
      when NULL_TEXT then [:null_text, NOTHING]
      else raise ArgumentError, "a body is nil, a String, a Hash, an Array, a Metaq::JavaObject or Metaq::NULL_TEXT, not #{body.class}"
      end
    end

    # @param kind [Symbol]
    # @param payload [String]
    # @return [Object] the body. Values of maps and streams are wrapped where Ruby does not tell their type; see {plain}
    # @raise [DamagedMessageError] if the payload is not of that kind
    def decode(kind, payload)
      case kind
      when :none then nil
      when :text then text(payload)
      when :bytes then payload
      when :map then read_map(payload)
      when :stream then read_stream(payload)
      when :object then JavaObject.new(payload)
      when :null_text then NULL_TEXT
      end
    end

    # @return [Object] the body with its values as plain Ruby
    def plain(body)
      case body
      when Hash then body.transform_values { |value| value.is_a?(Typed) ? value.value : value }.freeze
      when Array then body.map { |value| value.is_a?(Typed) ? value.value : value }.freeze
      else body
      end
    end

    def map(body)
      bytes = [body.size].pack('N')
      names = {}
      body.each do |name, value|
        name = Protocol::Escape.utf8(name.is_a?(Symbol) ? name.to_s : name)
        raise ArgumentError, "the name #{name} is there twice" if names.key?(name)

        names[name] = true
        Properties.write_named(bytes, name, *Properties.typed(value))
      end
      bytes
    end
    private_class_method :map

    def stream(body)
      body.each_with_object(''.b) { |value, bytes| Properties.write_unnamed(bytes, *Properties.typed(value)) }
    end
    private_class_method :stream

    def text(payload)
      text = payload.dup.force_encoding(Encoding::UTF_8)
      raise DamagedMessageError, 'the body of a text message is not UTF-8' unless text.valid_encoding?

      text.freeze
    end
    private_class_method :text

    def read_map(payload)
      return {}.freeze if payload.empty?

      reader = Properties::Reader.new(payload)
      count = reader.int32
      raise DamagedMessageError, "a map of #{count} entries" if count.negative?

      map = {}
      count.times do
        name, type, value = reader.entry
        raise DamagedMessageError, 'an entry of a map without a name' if name.is_a?(Integer)
        raise DamagedMessageError, "a map with the name #{name} twice" if map.key?(name)

        map[name] = Properties.wrapped(type, value)
      end
      raise DamagedMessageError, 'a map with something behind it' unless reader.end?

      map.freeze
    end
    private_class_method :read_map

    def read_stream(payload)
      reader = Properties::Reader.new(payload)
      values = []
      until reader.end?
        type = reader.uint8
        values << Properties.wrapped(type, reader.value(type))
      end
      values.freeze
    end
    private_class_method :read_stream
  end
end
