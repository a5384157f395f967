# frozen_string_literal: true

require 'set'

module Metaq
  module Core
    # What one member of a group owns at one broker: what it may begin to read, and what it has to give back. Not thread safe.
    #
    # A partition goes: free → (assigned) gained → (begun) held → (not assigned any more) lost → (released) free.
    class Membership
      # @return [Integer, nil] the generation of the last answer, nil before the first
      attr_reader :generation
      # @return [Array<String>]
      attr_reader :members

      def initialize
        forget
      end

      # @param text [String] the answer to join
      def joined(text)
        lines = text.split("\r\n").map(&:split)
        @generation = lines.find { |line| line.first == 'generation' }&.at(1)&.to_i
        @members = lines.select { |line| line.first == 'member' }.map { |line| line[1] }
        @assigned = lines.select { |line| line.first == 'assign' }.to_set { |line| [line[1], line[2].to_i] }
      end

      # The connection is lost, and with it everything.
      #
      # @return [Array<Array(String, Integer)>] what was held, which is somebody else's by now
      def forget
        gone = @held.to_a
        @generation = nil
        @members = []
        @assigned = Set.new
        @held = Set.new
        gone
      end

      # @return [Array<Array(String, Integer)>] topics and partitions that may be read now
      def gained
        (@assigned - @held).to_a
      end

      # @return [Array<Array(String, Integer)>] topics and partitions that are to be released
      def lost
        (@held - @assigned).to_a
      end

      # @return [Array<Array(String, Integer)>]
      def held
        @held.to_a
      end

      def begin(partition)
        @held << partition
      end

      def released(partition)
        @held.delete(partition)
      end
    end
  end
end
