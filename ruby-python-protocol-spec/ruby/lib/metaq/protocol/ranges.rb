# frozen_string_literal: true

module Metaq
  module Protocol
    # A set of byte ranges of partitions, as acknowledgements name them: `P:FROM-TO,…`. What joins on becomes one range. Not thread safe.
    class Ranges
      FORM = /\A(\d+):(\d+)-(\d+)\z/.freeze
      MAX = (1 << 63) - 1

      # @param text [String] as it stands in a header line
      # @return [Ranges]
      # @raise [ProtocolError]
      def self.parse(text)
        ranges = new
        parts = text.split(',', -1)
        raise ProtocolError, "no ranges: #{text}" if parts.empty?

        parts.each do |part|
          match = FORM.match(part) or raise ProtocolError, "no range: #{part}"
          partition, from, to = match.captures.map { |digits| Integer(digits, 10) }
          raise ProtocolError, "no range: #{part}" if from >= to || to > MAX || partition > 0x7fffffff

          ranges.add(partition, from, to)
        end
        ranges
      end

      def initialize
        @runs = []
      end

      # @param partition [Integer]
      # @param from [Integer] offset of a message
      # @param to [Integer] where a message ends
      # @return [self]
      def add(partition, from, to)
        last = @runs.last
        if last && last[0] == partition && last[2] == from
          last[2] = to
        else
          @runs << [partition, from, to]
        end
        self
      end

      # @param other [Ranges]
      # @return [self]
      def merge(other)
        other.each { |partition, from, to| add(partition, from, to) }
        self
      end

      # @return [Boolean]
      def empty?
        @runs.empty?
      end

      # @return [Integer] how many
      def size
        @runs.size
      end

      # @yieldparam partition [Integer]
      # @yieldparam from [Integer]
      # @yieldparam to [Integer]
      def each(&block)
        return enum_for(:each) unless block

        @runs.each { |run| block.call(*run) }
      end

      # Takes ranges out, so that a header line of them does not become too long.
      #
      # @param count [Integer] how many at most
      # @return [Ranges] those taken
      def take(count)
        taken = Ranges.new
        @runs.shift(count).each { |run| taken.add(*run) }
        taken
      end

      # Orders them by partition and offset and joins what meets: acknowledgements of several threads come in any order.
      #
      # @return [self]
      def compact
        sorted = @runs.sort
        @runs = []
        sorted.each { |run| add(*run) }
        self
      end

      # @return [String] as it stands in a header line
      def to_s
        @runs.map { |partition, from, to| "#{partition}:#{from}-#{to}" }.join(',')
      end
    end
  end
end
