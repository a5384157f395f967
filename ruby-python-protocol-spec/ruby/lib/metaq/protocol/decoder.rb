# frozen_string_literal: true

module Metaq
  module Protocol
    # `result CODE LEN OPQ` with its text.
    Result = Struct.new(:code, :text, :opaque) do
      def ok?
        code == 200
      end
    end

    # `value LEN OPQ` with its bytes.
    Value = Struct.new(:bytes, :opaque)

    # `message CONSUMER PARTITION OFFSET COUNT DELIVERY LEN` with its messages.
    Delivery = Struct.new(:consumer, :partition, :offset, :count, :delivery, :bytes)

    # `detached CONSUMER LEN` with its text.
    Detached = Struct.new(:consumer, :text)

    # Makes frames of what a broker sends, however it is cut. Not thread safe.
    class Decoder
      MAX_LINE = 65_536
      NUMBER = /\A-?\d+\z/.freeze
      EMPTY = ''.b.freeze

      # @param max_body [Integer] bytes of the largest body that is believed
      def initialize(max_body: 1 << 30)
        @max_body = max_body
        @buffer = String.new(capacity: 65_536, encoding: Encoding::ASCII_8BIT)
        @at = 0
        @frame = nil
        @need = 0
      end

      # @param bytes [String] what has come; taken over, not to be changed afterwards
      # @yieldparam frame [Result, Value, Delivery, Detached]
      # @raise [ProtocolError] at what is no frame; nothing can be read behind that
      def feed(bytes)
        @buffer << bytes
        while (frame = take)
          yield frame
        end
        drop_read
      end

      # @return [Boolean] whether the last frame ended where the bytes did
      def idle?
        @frame.nil? && @at == @buffer.bytesize
      end

      private

      def take
        read_header unless @frame
        return nil if @frame.nil? || @buffer.bytesize - @at < @need

        body = @need.zero? ? EMPTY : @buffer.byteslice(@at, @need)
        @at += @need
        frame = @frame
        @frame = nil
        finish(frame, body)
      end

      def finish(frame, body)
        case frame
        when Value, Delivery
          frame.bytes = body
        else
          text = body.dup.force_encoding(Encoding::UTF_8)
          frame.text = text.valid_encoding? ? text : text.scrub
        end
        frame
      end

      def read_header
        stop = @buffer.index("\r\n", @at)
        if stop.nil?
          raise ProtocolError, 'the broker sent a line without an end' if @buffer.bytesize - @at > MAX_LINE

          return
        end
        tokens = @buffer.byteslice(@at, stop - @at).split(' ')
        @at = stop + 2
        @frame = frame_of(tokens)
      end

      def frame_of(tokens)
        numbers = tokens.drop(1).map { |token| number(token, tokens) }
        case [tokens[0], numbers.size]
        when ['result', 3] then body_of(numbers[1]) && Result.new(numbers[0], nil, numbers[2])
        when ['value', 2] then body_of(numbers[0]) && Value.new(nil, numbers[1])
        when ['message', 6] then body_of(numbers[5]) && Delivery.new(*numbers.first(5), nil)
        when ['detached', 2] then body_of(numbers[1]) && Detached.new(numbers[0], nil)
        else raise ProtocolError, "the broker sent no frame: #{tokens.join(' ')[0, 80].inspect}"
        end
      end

      def number(token, tokens)
        return token.to_i if NUMBER.match?(token)

        raise ProtocolError, "the broker sent no frame: #{tokens.join(' ')[0, 80].inspect}"
      end

      def body_of(length)
        raise ProtocolError, "the broker sent a body of #{length} bytes" unless length.between?(0, @max_body)

        @need = length
      end

      # Copies what is left to the front, but not for a body of which much is still to come.
      def drop_read
        if @at == @buffer.bytesize
          @buffer.bytesize > 1_048_576 ? @buffer = String.new(capacity: 65_536, encoding: Encoding::ASCII_8BIT) : @buffer.clear
          @at = 0
        elsif @at > 262_144
          @buffer = @buffer.byteslice(@at, @buffer.bytesize - @at)
          @at = 0
        end
      end
    end
  end
end
