# frozen_string_literal: true

module Metaq
  module Core
    # What a consumer lets the broker deliver: so many messages and bytes ahead of the application, renewed in lumps of half of that.
    # Not thread safe.
    class Credit
      # @param messages [Integer] 0 for a consumer that asks for each message
      # @param bytes [Integer]
      def initialize(messages, bytes)
        @messages = messages
        @bytes = bytes
        restart
      end

      # The broker knows of nothing: a new connection, or what was left was taken back.
      #
      # @param waiting [Integer] messages that were delivered and not yet handed out
      def restart(waiting = 0)
        @used = @messages - waiting
        @used_bytes = @bytes
      end

      # @param bytes [Integer] of a message that was handed out
      def used(bytes)
        @used += 1
        @used_bytes += bytes
      end

      # @return [Array(Integer, Integer), nil] messages and bytes to add to what the broker may deliver, nil for nothing yet
      def renewal
        return nil if @messages.zero? || (@used * 2 < @messages && @used_bytes * 2 < @bytes) || @used <= 0

        renewal = [@used, [@used_bytes, 0].max]
        @used = @used_bytes = 0
        renewal
      end
    end
  end
end
