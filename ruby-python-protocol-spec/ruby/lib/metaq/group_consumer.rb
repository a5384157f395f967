# frozen_string_literal: true

require_relative 'fetch'
require_relative 'group_seat'
require_relative 'offsets'

module Metaq
  # A member of a consumer group: every partition of the topics is read by one member at a time, in order, and goes on where the group was.
  # To be used by one thread at a time.
  #
  # What was handed out counts as finished when the next message is asked for, or {#commit} is called. A message whose block raised does
  # not, and comes again. The group's position is told to the broker every `commit_interval` seconds, before a partition is given to
  # another member, and at the end: after a crash some messages come again, none is left out.
  #
  # Partitions change hands only inside {#receive}, {#poll} and {#each}: a member that does not come back to them keeps what it has.
  #
  # @example
  #   client.group_consumer('billing', 'orders').each { |message| bill(message.body) }
  class GroupConsumer
    include Enumerable

    REFRESH = 20
    CLOSE_TIMEOUT = 5
    private_constant :REFRESH, :CLOSE_TIMEOUT

    # @return [String]
    attr_reader :group
    # @return [String] the name of this member
    attr_reader :member

    # @api private
    def initialize(client, group, topics, member:, from:, auto_commit:, commit_interval:, slice_bytes:, buffer_bytes:, timeout:, on_change:)
      @client = client
      @group = Checks.token(group, 'group')
      @topics = topics.flatten.map { |topic| Checks.topic(topic) }
      raise ArgumentError, 'topics: which?' if @topics.empty?

      @member = Checks.token(member, 'member')
      @from = Offsets.check(from)
      @auto_commit = auto_commit
      @commit_interval = Checks.seconds(commit_interval, 'commit_interval')
      @slice_bytes = Checks.integer(slice_bytes, 'slice_bytes', 64..0x7fff_ffff)
      @buffer_bytes = Checks.integer(buffer_bytes, 'buffer_bytes', 1..)
      @timeout = timeout
      @on_change = on_change
      @intake = Intake.new
      @seats = {}
      @fetches = {}
      @committed = {}
      @current = nil
      @refreshed = @commit_at = Clock.now
      @changed = false
      @closed = false
    end

    # @api private
    # @raise [NotFoundError] if nobody has any of the topics
    def start
      join_brokers
      raise NotFoundError.new(404, "nobody has the topic #{@topics.join(', ')}", "join #{@group}") if @seats.empty?

      self
    end

    # (see Reader#receive)
    def receive(timeout: @timeout)
      Checks.seconds(timeout, 'timeout')
      @client.check
      finish_current
      deadline = Clock.now + timeout
      loop do
        upkeep
        message = @intake.take([deadline, Clock.now + upkeep_interval].min)
        if message
          @current = message
          return message
        end
        return nil if Clock.now >= deadline
      end
    end

    # (see Reader#poll)
    def poll(max: 1000, timeout: @timeout)
      Checks.integer(max, 'max', 1..)
      messages = []
      while messages.size < max && (message = receive(timeout: messages.empty? ? timeout : 0))
        messages << message
        # All of them are finished when the next are asked for, not before.
        @current = nil
      end
      @polled = messages
    end

    # (see Reader#each)
    def each(timeout: nil)
      return enum_for(:each, timeout: timeout) unless block_given?

      loop do
        message = receive(timeout: timeout || @timeout)
        if message
          handed(message) { yield message }
        elsif timeout
          break
        end
      end
      self
    rescue ClosedError
      raise unless @closed && !@client.closed?

      self
    end

    # Tells the broker how far the group is: everything that was handed out is finished.
    #
    # @return [nil]
    # @raise [Error] if it is not known to be kept
    def commit
      finish_current
      commit_finished(@fetches.keys)
      nil
    end

    # @return [Array<Array(String, Integer, Integer)>] topic, broker and partition of what this member reads
    def assignment
      @fetches.keys
    end

    # @return [Array<String>] the members at the brokers of the topics
    def members
      @seats.values.flat_map(&:members).uniq.sort
    end

    # Commits if it is said to, and leaves the group: its partitions are free at once.
    #
    # @return [nil]
    def close
      return if @closed || @client.forked?

      @closed = true
      finish_current
      begin
        commit_finished(@fetches.keys) if @auto_commit
      rescue Error
        nil # what was not committed comes again
      end
      @fetches.each_value { |entry| entry.fetch.stop }
      @intake.close
      @seats.each_value { |seat| seat.leave([@timeout, CLOSE_TIMEOUT].min) }
      @client.disown(self)
      nil
    end

    # @api private
    def membership_changed
      @changed = true
      @intake.changed
    end

    # @api private
    def membership_failed(error)
      @intake.fail(error)
    end

    # A partition that is read: how far it is finished, and which message was the last.
    Entry = Struct.new(:fetch, :seat, :finished, :last_id)
    private_constant :Entry

    private

    def handed(message)
      yield
    rescue Exception
      @current = nil
      @fetches[key(message)]&.fetch&.seek(message.offset)
      raise
    end

    def key(message)
      [message.topic, message.broker_id, message.partition]
    end

    def finish_current
      [*@polled, *@current].each do |message|
        entry = @fetches[key(message)] or next
        entry.finished = message.next_offset
        entry.last_id = message.id
      end
      @polled = @current = nil
    end

    def upkeep
      if @changed
        @changed = false
        @seats.each_value { |seat| apply(seat) }
      end
      if @auto_commit && Clock.now >= @commit_at
        @commit_at = Clock.now + @commit_interval
        commit_finished(@fetches.keys)
      end
      return if Clock.now - @refreshed < REFRESH

      @refreshed = Clock.now
      join_brokers
    rescue ConnectionError
      nil # the next time
    end

    def upkeep_interval
      [@auto_commit ? @commit_interval : REFRESH, REFRESH].min.clamp(0.05, REFRESH)
    end

    # Members join at each broker of the topics, once.
    def join_brokers
      deadline = Clock.now + @timeout
      @topics.flat_map { |topic| @client.routes.of(topic, deadline, fresh: true) }.uniq(&:broker_id).each do |place|
        next if @seats.key?(place.broker_id)

        link = @client.link(place.address, place.broker_id)
        link.await(deadline)
        @seats[place.broker_id] = GroupSeat.new(link, @group, @member, @topics, self).start
      end
    end

    def apply(seat)
      gained, lost, gone = seat.changes
      broker_id = seat.link.info.broker_id
      gone.each { |topic, number| drop([topic, broker_id, number]) }
      lost.each { |partition| give_back(seat, partition, broker_id) }
      begun = gained.empty? ? [] : begin_reading(seat, gained, broker_id)
      ended = (gone + lost).map { |topic, number| [topic, broker_id, number] }
      @on_change&.call(begun, ended) unless begun.empty? && ended.empty?
    end

    # It is committed before somebody else reads it.
    def give_back(seat, partition, broker_id)
      key = [partition[0], broker_id, partition[1]]
      @fetches[key]&.fetch&.stop
      begin
        commit_finished([key]) if @auto_commit
      rescue ReplyError
        nil # what was not committed comes again, to its next reader
      end
      drop(key)
      seat.release(partition, @timeout)
    end

    def drop(key)
      entry = @fetches.delete(key) or return
      entry.fetch.stop
      @intake.drop(entry.fetch)
    end

    def begin_reading(seat, partitions, broker_id)
      stored = group_offsets(seat)
      partitions.map do |topic, number|
        key = [topic, broker_id, number]
        place = Core::Place.new(broker_id, seat.link.address, number, true, true)
        start = stored[[topic, number]] || @client.offsets.find(topic, place, @from, seat.link, @timeout)
        seat.begin([topic, number])
        fetch = Fetch.new(@client, seat.link, @intake, topic, @group, place, start, @slice_bytes, @buffer_bytes)
        @committed[key] = stored[[topic, number]]
        @fetches[key] = Entry.new(fetch, seat, start, -1)
        fetch.start
        key
      end
    rescue StandardError
      @changed = true
      raise
    end

    def group_offsets(seat)
      answer = seat.link.call("offsets of #{@group}", timeout: @timeout, repeat: true) { |o| Protocol::Request.group('offsets', @group, o) }
      answer.text.split("\r\n").map(&:split).to_h { |topic, number, offset| [[topic, number.to_i], offset.to_i] }
    end

    def commit_finished(keys)
      due = keys.select { |key| (entry = @fetches[key]) && entry.finished != @committed[key] && (entry.last_id >= 0 || @committed[key]) }
      promises = due.map { |key| [key, @fetches[key].finished, post_commit(key, @fetches[key])] }
      promises.each do |key, finished, promise|
        outcome = promise.wait(Clock.now + @timeout) || TimeoutError.new("commit of #{@group}: no answer", outcome_unknown: true)
        raise outcome if outcome.is_a?(Exception)
        raise ReplyError.of(outcome.code, outcome.text, "commit of #{@group}") unless outcome.ok?

        @committed[key] = finished
      end
    end

    def post_commit(key, entry)
      promise = Promise.new
      topic, _, number = key
      options = { topic: topic, partition: number, offset: entry.finished }
      options[:id] = entry.last_id if entry.last_id >= 0
      entry.seat.link.post(Clock.now + @timeout, promise) { |opaque| Protocol::Request.group('commit', @group, opaque, **options) }
      promise
    end
  end
end
