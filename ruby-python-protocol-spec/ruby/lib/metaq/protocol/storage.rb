# frozen_string_literal: true

require 'zlib'

module Metaq
  module Protocol
    # Messages as they are stored and sent: length, checksum, id, flag, body.
    module Storage
      HEADER = 20
      # bits of the flag
      ATTRIBUTE = 1
      PROPERTIES = 2
      SCHEDULED = 4
      GROUPED = 8
      EXPIRES = 16
      LARGE = 32

      # String#unpack1 and #unpack know offsets since Ruby 3.1.
      OFFSETS = begin
        'ab'.unpack1('C', offset: 1) == 98
      rescue ArgumentError
        false
      end

      module_function

      # @param body [String] bytes
      # @return [Integer] the checksum
      def checksum(body)
        Zlib.crc32(body) & 0x7fffffff
      end

      # Puts a message behind others.
      #
      # @param target [String] binary, grows
      # @param body [String] the body as it is stored
      # @param flag [Integer] 32 bits
      # @return [Integer] bytes that it takes
      def append(target, body, flag)
        [body.bytesize, Zlib.crc32(body) & 0x7fffffff, 0, flag & 0xffffffff].pack('NNQ>N', buffer: target)
        target << body
        HEADER + body.bytesize
      end

      if OFFSETS
        # @return [Array(Integer, Integer, Integer, Integer)] length of the body, checksum, id, flag of the message at that place
        def header(bytes, at)
          bytes.unpack('l>l>q>l>', offset: at)
        end

        # @return [Integer] length of the body of the message at that place
        def length(bytes, at)
          bytes.unpack1('l>', offset: at)
        end
      else
        def header(bytes, at)
          bytes.byteslice(at, HEADER).unpack('l>l>q>l>')
        end

        def length(bytes, at)
          bytes.byteslice(at, 4).unpack1('l>')
        end
      end

      # Finds where messages begin.
      #
      # @param bytes [String] beginning with a message; the last one may be cut
      # @return [Array<Integer>] where each whole message begins, and behind the last of them where it ends
      # @raise [DamagedMessageError] at a negative length
      def boundaries(bytes)
        at = 0
        last = bytes.bytesize - HEADER
        found = [0]
        while at <= last
          length = Storage.length(bytes, at)
          raise DamagedMessageError, "a message of #{length} bytes" if length.negative?

          at += HEADER + length
          break if at > bytes.bytesize

          found << at
        end
        found
      end
    end
  end
end
