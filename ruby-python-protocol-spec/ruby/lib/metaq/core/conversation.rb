# frozen_string_literal: true

module Metaq
  # What the client decides, as functions of bytes, answers and times: no sockets, no threads, no clock of its own. Times are seconds of
  # a clock that never goes back.
  module Core
    # The requests that are under way on one connection, and whether it is alive. Not thread safe.
    class Conversation
      MAX_OPAQUE = 0x7fff_fffe
      LOST_HEARTBEATS = 3
      Pending = Struct.new(:handler, :deadline)

      # @param now [::Float]
      # @param heartbeat [Numeric] seconds without a byte after which the broker is asked whether it is there
      def initialize(now, heartbeat: 10)
        @decoder = Protocol::Decoder.new
        @pending = {}
        @opaque = 0
        @heartbeat = heartbeat
        @heard_at = @said_at = @asked_at = now
        @unanswered = 0
      end

      # Begins a request.
      #
      # @param handler [Object] given back with the answer
      # @param deadline [::Float] when nobody waits for it any more
      # @return [Integer] its opaque
      def open(handler, deadline)
        @opaque = @opaque == MAX_OPAQUE ? 1 : @opaque + 1
        @opaque += 1 while @pending.key?(@opaque)
        @pending[@opaque] = Pending.new(handler, deadline)
        @opaque
      end

      # @return [Boolean] whether it was under way
      def forget(opaque)
        !@pending.delete(opaque).nil?
      end

      # Notes that bytes were written.
      def said(now)
        @said_at = now
      end

      # @param bytes [String] what has come
      # @yieldparam handler [Object, nil] whose answer it is; nil for a frame that comes unasked
      # @yieldparam frame [Protocol::Result, Protocol::Value, Protocol::Delivery, Protocol::Detached]
      # @raise [ProtocolError]
      def feed(bytes, now)
        @heard_at = now
        @unanswered = 0
        @decoder.feed(bytes) do |frame|
          case frame
          when Protocol::Result, Protocol::Value
            pending = @pending.delete(frame.opaque)
            # An answer to a request that was given up is nobody's.
            yield pending.handler, frame if pending&.handler
          else
            yield nil, frame
          end
        end
      end

      # @return [Array] the handlers whose time is over; their answers will be nobody's
      def expire(now)
        late = @pending.select { |_, pending| pending.deadline <= now }
        late.each_key { |opaque| @pending.delete(opaque) }
        late.values.map(&:handler).compact
      end

      # @return [Boolean] whether a heartbeat is due now
      def heartbeat?(now)
        now - [@heard_at, @said_at].min >= @heartbeat && now - @asked_at >= @heartbeat
      end

      # Begins a heartbeat.
      #
      # @return [Integer] its opaque
      def beat(now)
        @asked_at = now
        @unanswered += 1
        open(nil, now + (@heartbeat * LOST_HEARTBEATS))
      end

      # @return [Boolean] whether the broker was asked often enough in vain
      def dead?(now)
        @unanswered >= LOST_HEARTBEATS && now - @asked_at >= @heartbeat
      end

      # @return [::Float] seconds until something may be due
      def wait(now)
        due = @pending.each_value.map(&:deadline).min || (now + @heartbeat)
        quiet = [@heard_at, @said_at].min
        [[due, [quiet, @asked_at].max + @heartbeat].min - now, 0.001].max
      end

      # Ends it.
      #
      # @return [Array] the handlers that get no answer, in the order of their requests
      def close
        handlers = @pending.values.map(&:handler).compact
        @pending.clear
        handlers
      end
    end
  end
end
