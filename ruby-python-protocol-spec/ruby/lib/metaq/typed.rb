# frozen_string_literal: true

module Metaq
  # A value with one of the types that Java tells apart and Ruby does not. Needed only for sending: an Integer is sent as a long, a
  # ::Float as a double, a String of text as a string, one in binary as bytes. Two are equal if type and value are.
  class Typed
    # @return [Object] the plain value
    attr_reader :value

    # @param value [Object] checked against the type's range
    # @raise [ArgumentError] if it does not fit
    def initialize(value)
      @value = self.class.check(value)
      freeze
    end

    # @return [Symbol] :byte, :short, :int, :long, :float, :double or :char
    def type
      self.class::TYPE
    end

    # @api private
    def ==(other)
      other.class == self.class && other.value == value
    end
    alias eql? ==

    # @api private
    def hash
      [self.class, value].hash
    end

    # @api private
    def to_s
      value.to_s
    end

    # @api private
    def inspect
      "#{self.class}(#{value.inspect})"
    end
  end

  # What the integer types have in common.
  class TypedInteger < Typed
    # @api private
    def self.check(value)
      limit = 1 << (self::BITS - 1)
      unless value.is_a?(Integer) && value >= -limit && value < limit
        raise ArgumentError, "#{name} takes an Integer of #{self::BITS} bits, not #{value.inspect}"
      end

      value
    end

    # @return [Integer]
    def to_i
      value
    end
    alias to_int to_i
  end

  # What the floating types have in common.
  class TypedFloat < Typed
    # @api private
    def self.check(value)
      raise ArgumentError, "#{name} takes a Numeric, not #{value.inspect}" unless value.is_a?(Numeric) && value.real?

      value.to_f
    end

    # @return [::Float]
    def to_f
      value
    end
  end

  # 8 bits
  class Byte < TypedInteger
    TYPE = :byte
    BITS = 8
  end

  # 16 bits
  class Short < TypedInteger
    TYPE = :short
    BITS = 16
  end

  # 32 bits
  class Int < TypedInteger
    TYPE = :int
    BITS = 32
  end

  # 64 bits: what an Integer is sent as
  class Long < TypedInteger
    TYPE = :long
    BITS = 64
  end

  # Single precision. The value is rounded to it here, so that it is what will be received.
  class Float < TypedFloat
    TYPE = :float

    # @api private
    def self.check(value)
      [super].pack('g').unpack1('g')
    end
  end

  # Double precision: what a ::Float is sent as
  class Double < TypedFloat
    TYPE = :double
  end

  # One UTF-16 unit, as Java's char. For the bodies of maps and streams only. The value is a String of one character, or, for half of a
  # surrogate pair, which is no character, its Integer.
  class Char < Typed
    TYPE = :char

    # @api private
    def self.check(value)
      unit = value.is_a?(Integer) ? value : unit_of(value)
      raise ArgumentError, "Metaq::Char takes a character of the basic plane, not #{value.inspect}" unless unit&.between?(0, 0xffff)

      unit.between?(0xd800, 0xdfff) ? unit : [unit].pack('U').freeze
    end

    def self.unit_of(value)
      text = value.is_a?(String) ? value.encode(Encoding::UTF_8) : nil
      text.ord if text && text.valid_encoding? && text.length == 1
    rescue EncodingError
      nil
    end
    private_class_method :unit_of

    # @return [Integer] the UTF-16 unit
    def unit
      value.is_a?(Integer) ? value : value.ord
    end
  end

  # The body of a message of Java objects: bytes of Java's serialization, which this client does not look into.
  class JavaObject
    # @return [String] binary
    attr_reader :bytes

    # @param bytes [String]
    def initialize(bytes)
      raise ArgumentError, "Metaq::JavaObject takes a String of bytes, not #{bytes.inspect}" unless bytes.is_a?(String)

      @bytes = bytes.b.freeze
      freeze
    end

    # @api private
    def ==(other)
      other.is_a?(JavaObject) && other.bytes == bytes
    end
    alias eql? ==

    # @api private
    def hash
      bytes.hash
    end
  end

  # The body of a text message whose text is null, which is neither empty nor a message without a body.
  NULL_TEXT = Object.new
  def NULL_TEXT.inspect
    'Metaq::NULL_TEXT'
  end
  NULL_TEXT.freeze
end
