# frozen_string_literal: true

require_relative 'typed'
require_relative 'protocol/escape'

module Metaq
  # Typed values as bytes: the entries of property blocks, maps and streams (PROTOCOL.md, Properties).
  #
  # Inside the client a value is [type, plain value], type being the number of the table.
  module Properties
    NULL, BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, STRING, BYTES, CHAR = *0..10
    TYPES = %i[null boolean byte short int long float double string bytes char].freeze
    CLASSES = { BYTE => Byte, SHORT => Short, INT => Int, LONG => Long, FLOAT => Float, DOUBLE => Double, CHAR => Char }.freeze
    FORMATS = { BYTE => 'c', SHORT => 's>', INT => 'l>', LONG => 'q>', FLOAT => 'g', DOUBLE => 'G' }.freeze
    SIZES = { NULL => 0, BOOLEAN => 1, BYTE => 1, SHORT => 2, INT => 4, LONG => 8, FLOAT => 4, DOUBLE => 8, CHAR => 2 }.freeze

    module_function

    # What a Ruby value is sent as.
    #
    # @param value [nil, true, false, Integer, ::Float, String, Symbol, Typed]
    # @return [Array(Integer, Object)] type and plain value
    # @raise [ArgumentError] if there is no type for it
    def typed(value)
      case value
      when nil then [NULL, nil]
      when true, false then [BOOLEAN, value]
      when Integer then [LONG, Long.check(value)]
      when ::Float then [DOUBLE, value]
      when Symbol then string(value.to_s)
      when String then string(value)
      when Typed then [TYPES.index(value.type), value.value]
      else raise ArgumentError, "no type of a message's values fits #{value.inspect} (#{value.class})"
      end
    end

    # @return [Array(Integer, String)]
    def string(value)
      return [BYTES, value.frozen? ? value : value.dup.freeze] if value.encoding == Encoding::ASCII_8BIT

      text = Protocol::Escape.utf8(value)
      [STRING, text.frozen? ? text : text.dup.freeze]
    end

    # The other way: a value whose type Ruby does not tell is wrapped, so that it is sent as what it was.
    #
    # @return [Object]
    def wrapped(type, value)
      CLASSES.key?(type) ? CLASSES[type].new(value) : value
    end

    # @param target [String] binary, grows
    # @param name [String] of at least one byte
    # @raise [ArgumentError] if the name is empty or longer than 65,535 bytes
    def write_named(target, name, type, value)
      bytes = name.bytesize
      raise ArgumentError, "a name of #{bytes} bytes: give it 1 to 65535" unless bytes.between?(1, 65_535)

      bytes < 255 ? [type, bytes].pack('CC', buffer: target) : [type, 255, bytes].pack('CCn', buffer: target)
      target << name.b
      write_value(target, type, value)
    end

    # @param number [Integer] of a header
    def write_header(target, number, type, value)
      [type, 0, number].pack('CCC', buffer: target)
      write_value(target, type, value)
    end

    # An entry without a name, as streams have them.
    def write_unnamed(target, type, value)
      target << type
      write_value(target, type, value)
    end

    def write_value(target, type, value)
      case type
      when NULL then target
      when BOOLEAN then target << (value ? 1 : 0)
      when STRING, BYTES
        [value.bytesize].pack('N', buffer: target)
        target << value.b
      when CHAR then [value.is_a?(Integer) ? value : value.ord].pack('n', buffer: target)
      else [value].pack(FORMATS.fetch(type), buffer: target)
      end
    end

    # Reads values one behind the other.
    class Reader
      # @param bytes [String] binary
      # @param at [Integer] where to begin
      # @param stop [Integer] where it ends
      def initialize(bytes, at = 0, stop = bytes.bytesize)
        @bytes = bytes
        @at = at
        @stop = stop
      end

      # @return [Boolean]
      def end?
        @at >= @stop
      end

      # @return [Integer]
      def uint8
        take(1).unpack1('C')
      end

      # @return [Integer]
      def uint16
        take(2).unpack1('n')
      end

      # @return [Integer]
      def int32
        take(4).unpack1('l>')
      end

      # Reads an entry.
      #
      # @return [Array(Object, Integer, Object)] name (an Integer for a header, a String else), type, value
      # @raise [DamagedMessageError]
      def entry
        type = uint8
        length = uint8
        name = case length
               when 0 then uint8
               when 255 then text(uint16)
               else text(length)
               end
        [name, type, value(type)]
      end

      # @return [Object] the plain value
      # @raise [DamagedMessageError]
      def value(type)
        case type
        when NULL then nil
        when BOOLEAN then uint8 != 0
        when STRING then text(int32)
        when BYTES then take(int32).freeze
        when CHAR then Char.check(uint16)
        else
          raise DamagedMessageError, "a value of type #{type}" unless FORMATS.key?(type)

          take(SIZES[type]).unpack1(FORMATS[type])
        end
      end

      private

      def take(count)
        if count.negative? || @at + count > @stop
          raise DamagedMessageError, 'a message whose properties or body end in the middle of a value'
        end

        @at += count
        @bytes.byteslice(@at - count, count)
      end

      def text(length)
        text = take(length).force_encoding(Encoding::UTF_8)
        raise DamagedMessageError, 'a text of a message is not UTF-8' unless text.valid_encoding?

        text.freeze
      end
    end
  end
end
