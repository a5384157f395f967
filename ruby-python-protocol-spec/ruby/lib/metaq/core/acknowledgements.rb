# frozen_string_literal: true

require_relative '../protocol/ranges'

module Metaq
  module Core
    # Acknowledgements that nobody waits for: what comes while one frame is under way goes into the next. Those of a lost connection are
    # sent again. Not thread safe.
    class Acknowledgements
      # So that the header line stays below what every broker reads.
      MAX_RANGES = 250

      # @return [Integer] messages that were somebody else's by then, or done before
      attr_reader :missed

      def initialize
        @waiting = Protocol::Ranges.new
        @under_way = nil
        @missed = 0
      end

      def add(partition, from, to)
        @waiting.add(partition, from, to)
      end

      # @return [Boolean] whether all are answered
      def empty?
        @waiting.empty? && @under_way.nil?
      end

      # @return [Protocol::Ranges, nil] what is to be sent now
      def take
        return nil if @under_way || @waiting.empty?

        @under_way = @waiting.compact.take(MAX_RANGES)
      end

      # @param text [String] the broker's answer, empty if the consumer is gone
      def answered(text)
        @missed += text[/missed (\d+)/, 1].to_i
        @under_way = nil
      end

      # The connection is lost. What was under way may have been done, and then counts as missed the next time.
      def lost
        return unless @under_way

        @waiting = @under_way.merge(@waiting)
        @under_way = nil
      end
    end
  end
end
