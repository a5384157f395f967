# frozen_string_literal: true

require_relative 'properties'

module Metaq
  # The headers of MetaQ in a property block: their numbers, types and checks.
  module Headers
    P = Properties
    # name => [number, type]; in the order in which they are written
    TABLE = {
      message_id: [1, P::STRING], timestamp: [2, P::LONG], expiration: [3, P::LONG], delivery_time: [4, P::LONG],
      priority: [5, P::BYTE], delivery_mode: [6, P::BYTE], correlation_id: [7, P::STRING], reply_to: [8, P::STRING],
      type: [9, P::STRING], destination: [10, P::STRING], origin: [11, P::STRING], body_kind: [12, P::BYTE],
      group_id: [13, P::STRING], group_seq: [14, P::INT], user_id: [15, P::STRING], large_topic: [16, P::STRING],
      large_partition: [17, P::INT], large_offset: [18, P::LONG], large_length: [19, P::LONG]
    }.freeze
    NAMES = TABLE.to_h { |name, (number, _)| [number, name] }.freeze
    DESTINATION = %r{\A(queue|topic|temp-queue|temp-topic)://.+\z}m.freeze

    module_function

    # @param name [Symbol]
    # @param value [Object] as the application gave it
    # @return [Object] as it is written
    # @raise [ArgumentError]
    def check(name, value)
      case name
      when :timestamp, :expiration, :delivery_time then milliseconds(name, value)
      when :priority then ranged(name, value, 0..9)
      when :group_seq then Int.check(value)
      when :correlation_id then P.string(needs(String, name, value)).last
      when :reply_to, :destination then destination(name, value)
      when :message_id, :type, :origin, :group_id, :user_id then Protocol::Escape.utf8(needs(String, name, value))
      else raise ArgumentError, "a message has no #{name}"
      end
    end

    # @return [Integer] milliseconds since 1970
    def milliseconds(name, value)
      case value
      when Time then (value.to_r * 1000).floor
      when Integer then Long.check(value)
      else raise ArgumentError, "#{name} takes a Time or an Integer of milliseconds since 1970, not #{value.inspect}"
      end
    end

    # @return [Integer] milliseconds
    def duration(name, seconds)
      unless seconds.is_a?(Numeric) && seconds.real? && seconds >= 0 && seconds < 1e15
        raise ArgumentError, "#{name} takes seconds, not #{seconds.inspect}"
      end

      (seconds * 1000).ceil
    end

    def ranged(name, value, range)
      return value if value.is_a?(Integer) && range.cover?(value)

      raise ArgumentError, "#{name} takes #{range.first} to #{range.last}, not #{value.inspect}"
    end

    def needs(type, name, value)
      return value if value.is_a?(type)

      raise ArgumentError, "#{name} takes a #{type}, not #{value.inspect}"
    end

    def destination(name, value)
      text = Protocol::Escape.utf8(needs(String, name, value.respond_to?(:to_destination) ? value.to_destination : value))
      return text if text.match?(DESTINATION)

      raise ArgumentError, "#{name} takes queue://NAME, topic://NAME, temp-queue://NAME or temp-topic://NAME, not #{text.inspect}"
    end
  end
end
