# frozen_string_literal: true

module Metaq
  module Core
    # Stored messages that were read at once, and how far they were handed out. Not thread safe.
    class Slice
      # @return [Integer] where it begins in the partition
      attr_reader :offset
      # @return [Integer] bytes of its whole messages
      attr_reader :bytesize

      # @param bytes [String] beginning with a message; the last one may be cut
      # @param offset [Integer]
      # @raise [DamagedMessageError]
      def initialize(bytes, offset)
        @bytes = bytes
        @offset = offset
        @starts = Protocol::Storage.boundaries(bytes)
        @bytesize = @starts.last
        @next = 0
      end

      # @return [Boolean] whether there is not even one whole message
      def empty?
        @starts.size == 1
      end

      # @return [Boolean]
      def end?
        @next >= @starts.size - 1
      end

      # @return [Integer] where the next message to be handed out begins
      def position
        @offset + @starts[@next]
      end

      # @return [Integer] where it ends: what is to be read next
      def end_offset
        @offset + @bytesize
      end

      # @return [ReceivedMessage] the next one
      # @raise [DamagedMessageError] which is then behind
      def take(source, partition)
        at = @starts[@next]
        @next += 1
        ReceivedMessage.read(@bytes, at, source, partition, @offset + at)
      end
    end

    # Makes slices that hold a whole message at least of replies that may hold less: of a message that is longer than what was asked for, or
    # than what the broker gives at once. Not thread safe.
    class Joiner
      LONGEST_MESSAGE = 1 << 30

      # @return [Integer] where the next slice begins
      attr_reader :offset

      # @param size [Integer] bytes to ask for
      def initialize(offset, size)
        @usual = size
        restart(offset)
      end

      # Begins elsewhere.
      def restart(offset)
        @offset = offset
        @part = nil
        @size = @usual
      end

      # @return [Array(Integer, Integer)] offset and bytes to ask for
      def wanted
        [@offset + (@part ? @part.bytesize : 0), @size]
      end

      # @param bytes [String] the reply to what was wanted
      # @return [Slice, nil] nil if there is to be another reply first
      # @raise [DamagedMessageError] if there is no message of such a length
      def came(bytes)
        bytes = @part << bytes if @part
        slice = Slice.new(bytes, @offset)
        if slice.empty?
          wait(bytes)
          return nil
        end
        restart(slice.end_offset)
        slice
      end

      private

      def wait(bytes)
        header = Protocol::Storage::HEADER
        whole = bytes.bytesize < header ? header : header + Protocol::Storage.length(bytes, 0)
        raise DamagedMessageError, "a message of #{whole} bytes at offset #{@offset}" if whole > LONGEST_MESSAGE

        @part = bytes.frozen? || !bytes.equal?(@part) ? String.new(bytes, capacity: whole) : bytes
        @size = [whole - bytes.bytesize, @usual].max
      end
    end
  end
end
