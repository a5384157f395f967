# frozen_string_literal: true

module Metaq
  # Finds places in partitions.
  #
  # @api private
  class Offsets
    # @param client [Client]
    def initialize(client)
      @client = client
    end

    # @return [Object] the place
    # @raise [ArgumentError]
    def self.check(place)
      return place if place == :first || place == :last || place.is_a?(Time) || (place.is_a?(Integer) && place.between?(0, (1 << 63) - 1))

      raise ArgumentError, "a place is :first, :last, a Time, or an Integer, the offset of a message, not #{place.inspect}"
    end

    # @param place [Core::Place]
    # @param wanted [Integer, Symbol, Time]
    # @return [Integer] offset of a message, or where the next one will be
    # @raise [NotFoundError]
    def find(topic, place, wanted, link, timeout)
      return wanted if wanted.is_a?(Integer)

      options = wanted.is_a?(Time) ? { time: Headers.milliseconds(:time, wanted) } : { at: wanted }
      return by_segments(topic, place, wanted, link, timeout) unless link.await(Clock.now + timeout).feature?('offset-time')

      answer = link.call("find a place in #{topic}-#{place.number}", timeout: timeout, repeat: true) do |opaque|
        Protocol::Request.offset(topic, 'reader', place.number, 0, opaque, **options)
      end
      Integer(answer.text.strip, 10)
    end

    private

    # A broker of 1.4 knows but the beginnings of segments, and the end.
    def by_segments(topic, place, wanted, link, timeout)
      raise NotSupportedError.new(501, 'this broker finds no place by time', 'read') if wanted.is_a?(Time)

      asked = wanted == :first ? 0 : (1 << 63) - 1
      answer = link.call("find a place in #{topic}-#{place.number}", timeout: timeout, repeat: true, accept: [200, 404]) do |opaque|
        Protocol::Request.offset(topic, 'reader', place.number, asked, opaque)
      end
      answer.ok? ? Integer(answer.text.strip, 10) : 0
    end
  end
end
