# frozen_string_literal: true

module Metaq
  module Core
    # Messages that are sent to one partition as one, and what becomes of them. Filled by its sender's owner; the outcome may be waited
    # for and asked for by any thread.
    class Batch
      # @return [String]
      attr_reader :topic
      # @return [Integer] -1 lets the broker choose
      attr_reader :partition
      # @return [String] messages in storage format
      attr_reader :bytes
      # @return [::Float] when it fails unless it is answered
      attr_reader :deadline
      # @return [Array(Integer, Integer), nil] body as it is stored and flag of the only message, for brokers without append
      attr_reader :single
      # @return [Integer, nil] number of its first message within producer and broker
      attr_accessor :sequence
      # @return [Boolean] whether it may be stored already: it was written, and the connection was lost
      attr_accessor :uncertain
      # @return [Boolean] whether it is written and not answered
      attr_accessor :under_way
      # @return [Integer] rises with each batch of a sender
      attr_accessor :turn
      # @return [Integer] bytes of its producer's buffer that it takes up
      attr_accessor :reserved

      def initialize(topic, partition, deadline, capacity)
        @topic = topic
        @partition = partition
        @deadline = deadline
        @bytes = String.new(capacity: capacity, encoding: Encoding::ASCII_8BIT)
        @starts = []
        @callbacks = nil
        @lock = Mutex.new
        @arrived = ConditionVariable.new
        @outcome = nil
        @under_way = @uncertain = false
        @reserved = 0
      end

      # @return [Integer] the message's index
      def add(body, flag)
        @starts << @bytes.bytesize
        @single = [body, flag]
        Protocol::Storage.append(@bytes, body, flag)
        @starts.size - 1
      end

      # @return [Integer] messages
      def count
        @starts.size
      end

      # @return [Integer]
      def bytesize
        @bytes.bytesize
      end

      # It is stored.
      #
      # @param id [Integer] of the first message
      # @param partition [Integer] where it is
      # @param offset [Integer] of the first message
      # @param broker_id [Integer, nil]
      def stored(id, partition, offset, broker_id)
        complete([id, partition, offset, broker_id])
      end

      # @param error [Error]
      def fail(error)
        complete(error)
      end

      # @return [Boolean]
      def done?
        !@outcome.nil?
      end

      # @return [SendResult, Error, nil]
      def result(index)
        outcome = @outcome
        return outcome if outcome.nil? || outcome.is_a?(Exception)

        id, partition, offset, broker_id = outcome
        SendResult.new(id + index, @topic, partition, offset + @starts[index], broker_id)
      end

      # @param deadline [::Float]
      # @return [Boolean] whether there is an outcome
      def wait(deadline)
        @lock.synchronize do
          until @outcome
            Waiting.check
            left = deadline - Clock.now
            return false if left <= 0

            @arrived.wait(@lock, left)
          end
        end
        true
      end

      # Calls when there is an outcome: at once if there is one.
      def when_done(&action)
        @lock.synchronize do
          unless @outcome
            (@callbacks ||= []) << action
            return
          end
        end
        action.call
      end

      private

      def complete(outcome)
        callbacks = @lock.synchronize do
          return if @outcome

          @outcome = outcome
          @bytes = nil unless outcome.is_a?(Exception)
          @single = nil
          @arrived.broadcast
          @callbacks
        end
        callbacks&.each(&:call)
      end
    end
  end

  # Where a message is stored.
  #
  # @!attribute id
  #   @return [Integer] the broker's number of the message
  # @!attribute topic
  #   @return [String]
  # @!attribute partition
  #   @return [Integer]
  # @!attribute offset
  #   @return [Integer]
  # @!attribute broker_id
  #   @return [Integer, nil]
  SendResult = Struct.new(:id, :topic, :partition, :offset, :broker_id) do
    # @return [String] what the message's id will be to JMS
    def message_id
      "ID:#{id}"
    end
  end
end
