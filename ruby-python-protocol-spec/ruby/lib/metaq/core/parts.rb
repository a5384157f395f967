# frozen_string_literal: true

module Metaq
  module Core
    # The body of transact and enlist: messages and acknowledgements as one step. Not thread safe.
    class Parts
      MESSAGES = 1
      ACKNOWLEDGEMENTS = 2

      def initialize
        @sends = {}
        @acks = {}
      end

      # @param body [String] as it is stored
      def send(topic, partition, body, flag)
        entry = (@sends[[topic, partition]] ||= [0, ''.b])
        entry[0] += 1
        Protocol::Storage.append(entry[1], body, flag)
      end

      # @param seat [Seat] whose consumer acknowledges
      def ack(seat, partition, from, to)
        (@acks[seat] ||= Protocol::Ranges.new).add(partition, from, to)
      end

      # @return [Boolean]
      def empty?
        @sends.empty? && @acks.empty?
      end

      # @return [Integer] bytes of messages
      def bytesize
        @sends.each_value.sum { |_, bytes| bytes.bytesize }
      end

      # @return [Array<Seat>]
      def seats
        @acks.keys
      end

      # @return [String] binary
      def encode
        parts = ''.b
        @sends.each do |(topic, partition), (count, bytes)|
          parts << [MESSAGES, topic.bytesize].pack('Cn') << topic.b << [partition, count, bytes.bytesize].pack('l>NN') << bytes
        end
        @acks.each do |seat, ranges|
          ranges.compact
          parts << [ACKNOWLEDGEMENTS, seat.consumer, ranges.size].pack('Cl>N')
          ranges.each { |partition, from, to| parts << [partition, from, to].pack('l>q>q>') }
        end
        parts
      end
    end
  end
end
