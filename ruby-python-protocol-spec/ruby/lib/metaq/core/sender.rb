# frozen_string_literal: true

require_relative 'batch'

module Metaq
  module Core
    # One producer's batches for one broker: what is gathered, what is under way, what is written again, in which order and under which
    # numbers. Not thread safe.
    #
    # A batch is what was added while the batch before it was under way. Batches are numbered when they are first taken. After a lost
    # connection those without an answer are taken again in their order with their numbers, and nothing new before all of them are
    # answered, so that the broker still knows their numbers. A batch that was refused and is tried again gets a new number, unless it is
    # one of those: it may be stored.
    class Sender
      # The broker remembers the last 128 batches of a producer.
      MAX_UNDER_WAY = 100
      MAX_FULL = 16
      PAUSE = 0.1
      RETRIED = [408, 503].freeze
      UNCERTAIN_RETRIED = [408, 503, 507].freeze
      Lane = Struct.new(:waiting, :under_way)

      # @param producer_id [Integer, nil] nil for batches without numbers
      # @param batch_bytes [Integer] a batch of so many bytes is full
      # @param ordered [Boolean] whether there is one batch under way to a partition at most, so that a refused one is not overtaken
      def initialize(producer_id:, batch_bytes: 262_144, ordered: false)
        @producer_id = producer_id
        @batch_bytes = batch_bytes
        @max_full = ordered ? 1 : MAX_FULL
        @lanes = {}
        @under_way = []
        @again = []
        @next_sequence = 0
        @turn = 0
        @up = false
        @appends = true
        @paused_until = nil
      end

      # @return [Integer, nil]
      attr_reader :producer_id
      # @return [::Float, nil] until when nothing is sent, since the broker is busy
      attr_reader :paused_until

      # Gathers a message.
      #
      # @return [Array(Batch, Integer)] the batch and the message's index in it
      def add(topic, partition, body, flag, deadline)
        lane = @lanes[[topic, partition]] ||= Lane.new([], 0)
        batch = lane.waiting.last
        if batch.nil? || batch.sequence || !room?(batch, body.bytesize)
          batch = Batch.new(topic, partition, deadline, [body.bytesize + Protocol::Storage::HEADER, 4096].max)
          batch.turn = @turn += 1
          lane.waiting << batch
        end
        [batch, batch.add(body, flag)]
      end

      # @return [Boolean] whether nothing waits and nothing is under way
      def empty?
        @under_way.empty? && @lanes.each_value.all? { |lane| lane.waiting.empty? }
      end

      # What is to be written now.
      #
      # @param now [::Float]
      # @return [Batch, nil]
      def take(now)
        return nil if !@up || (@paused_until && now < @paused_until)

        @paused_until = nil
        return take_again if @again.any?
        return nil if @under_way.size >= MAX_UNDER_WAY || @under_way.any?(&:uncertain)

        @lanes.each_value do |lane|
          next unless takes?(lane)

          batch = lane.waiting.shift
          lane.under_way += 1
          @under_way << batch
          number(batch)
          batch.under_way = true
          return batch
        end
        nil
      end

      # A connection stands.
      #
      # @param appends [Boolean] whether the broker knows batches: one of 1.4 takes messages one by one
      # @param max_body [Integer] bytes that it takes at once
      def connected(appends, max_body)
        @up = true
        @appends = appends
        @batch_bytes = [@batch_bytes, max_body].min
        @paused_until = nil
        @again = @under_way.reject(&:under_way)
      end

      # What was taken could not be written, since there is no connection. It is first when there is one.
      def unsent(batch)
        batch.under_way = false
        @up = false
      end

      # The connection is lost.
      #
      # @param error [Error] what batches without numbers fail with, since nobody knows whether they are stored
      def disconnected(error)
        @up = false
        @again = []
        @under_way.dup.each do |batch|
          batch.under_way = false
          if @producer_id && @appends
            batch.uncertain = true
          else
            settle(batch)
            batch.fail(error)
          end
        end
      end

      # The broker answered.
      #
      # @return [ReplyError, nil] the error if the batch failed for good
      def answered(batch, code, text, broker_id, now)
        return if batch.done? || !@under_way.include?(batch)

        batch.under_way = false
        if code == 200
          settle(batch)
          id, partition, offset = text.split.map(&:to_i)
          batch.stored(id, partition, offset, broker_id)
          nil
        else
          refused(batch, ReplyError.of(code, text, "send to #{batch.topic}"), now)
        end
      end

      # Ends what nobody waits for any more.
      #
      # @param now [::Float]
      def expire(now)
        @under_way.select { |batch| batch.deadline <= now }.each do |batch|
          settle(batch)
          batch.fail(late(batch, true))
        end
        @lanes.each_value do |lane|
          late, lane.waiting = lane.waiting.partition { |batch| batch.deadline <= now }
          late.each { |batch| batch.fail(late(batch, false)) }
        end
        sweep
      end

      # @return [::Float, nil] when the next batch expires
      def next_deadline
        (@under_way + @lanes.values.flat_map(&:waiting)).map(&:deadline).min
      end

      # Ends everything.
      #
      # @param error [Class] of {Error}
      def abandon(error)
        @under_way.dup.each do |batch|
          settle(batch)
          batch.fail(error.new('closed before the answer came', outcome_unknown: true))
        end
        @lanes.each_value { |lane| lane.waiting.each { |batch| batch.fail(error.new('closed before it was sent')) } }
        @lanes.clear
      end

      private

      def room?(batch, bytes)
        @appends && batch.bytesize + bytes + Protocol::Storage::HEADER <= @batch_bytes
      end

      def takes?(lane)
        return false if lane.waiting.empty?
        return true if lane.under_way.zero?

        # More than one batch at a time is under way only if they are full.
        @appends && lane.waiting.size > 1 && lane.under_way < @max_full
      end

      def take_again
        batch = @again.shift
        batch.under_way = true
        batch
      end

      def number(batch)
        return unless @producer_id && batch.sequence.nil?

        batch.sequence = @next_sequence
        @next_sequence += batch.count
      end

      def refused(batch, error, now)
        codes = batch.uncertain ? UNCERTAIN_RETRIED : RETRIED
        if codes.include?(error.code) && batch.deadline > now + PAUSE
          @paused_until = now + PAUSE
          batch.uncertain ? @again.unshift(batch) : put_back(batch)
          return nil
        end
        settle(batch)
        batch.fail(error)
        error
      end

      # It waits again, under a new number, before those that were made after it.
      def put_back(batch)
        settle(batch)
        batch.sequence = nil
        lane = @lanes[[batch.topic, batch.partition]] ||= Lane.new([], 0)
        lane.waiting.insert(lane.waiting.index { |other| other.turn > batch.turn } || -1, batch)
      end

      def settle(batch)
        @under_way.delete(batch)
        @again.delete(batch)
        batch.uncertain = false
        lane = @lanes[[batch.topic, batch.partition]]
        lane.under_way -= 1
        @lanes.delete([batch.topic, batch.partition]) if lane.under_way.zero? && lane.waiting.empty?
      end

      def sweep
        @lanes.delete_if { |_, lane| lane.under_way.zero? && lane.waiting.empty? }
      end

      def late(batch, written)
        TimeoutError.new("send to #{batch.topic}: no answer in time", outcome_unknown: written)
      end
    end
  end
end
