# frozen_string_literal: true

require_relative 'core/membership'

module Metaq
  # A group consumer's membership at one broker: joins, learns of changes as they happen, and joins again behind a lost connection.
  #
  # @api private
  class GroupSeat
    WAIT_MS = 8_000
    PAUSE = 0.5

    # @return [Link]
    attr_reader :link

    # @param owner [#membership_changed, #membership_failed]
    def initialize(link, group, member, topics, owner)
      @link = link
      @group = group
      @member = member
      @topics = topics
      @owner = owner
      @lock = Mutex.new
      @state = Core::Membership.new
      @gone = []
      @asked = false
      @left = false
      link.listen(self)
    end

    def start
      join
      self
    end

    # @return [Array(Array, Array, Array)] partitions that may be begun, that are to be released, that are somebody else's already
    def changes
      @lock.synchronize do
        gone = @gone
        @gone = []
        [@state.gained, @state.lost, gone]
      end
    end

    def held
      @lock.synchronize { @state.held }
    end

    def members
      @lock.synchronize { @state.members }
    end

    def begin(partition)
      @lock.synchronize { @state.begin(partition) }
    end

    # Gives a partition back: somebody else may read it then.
    def release(partition, timeout)
      @lock.synchronize { @state.released(partition) }
      @link.call("release #{partition.join('-')}", timeout: timeout, accept: [200, 404, 409]) do |opaque|
        Protocol::Request.group('release', @group, opaque, member: @member, topic: partition[0], partition: partition[1])
      end
    rescue ConnectionError
      nil # the end of the connection gives back everything
    end

    def leave(timeout)
      @link.unlisten(self)
      @lock.synchronize { @left = true }
      return unless @link.up?

      @link.call("leave #{@group}", timeout: timeout, accept: [200, 404, 409]) do |opaque|
        Protocol::Request.group('leave', @group, opaque, member: @member)
      end
    rescue ConnectionError, ClosedError
      nil
    end

    def link_up(_link, _info)
      @lock.synchronize { @asked = false }
      join
    end

    def link_down(_link, _error)
      @lock.synchronize do
        @asked = false
        @gone.concat(@state.forget)
      end
      @owner.membership_changed
    end

    private

    def join
      @lock.synchronize do
        return if @left || @asked

        @asked = true
        options = { member: @member, topics: @topics.join(',') }
        options.update(generation: @state.generation, wait: WAIT_MS) if @state.generation
        @link.post(Clock.now + (WAIT_MS / 1000) + 30, method(:answered)) do |opaque|
          Protocol::Request.group('join', @group, opaque, **options)
        end
      end
    rescue ConnectionError, ClosedError
      nil # link_up joins
    end

    def answered(outcome)
      case outcome
      when Protocol::Result
        @lock.synchronize { @asked = false }
        outcome.ok? ? joined(outcome.text) : refused(outcome)
      when TimeoutError
        @lock.synchronize { @asked = false }
        join
      end
    end

    def joined(text)
      return if @left

      @lock.synchronize { @state.joined(text) }
      @owner.membership_changed
      join
    end

    def refused(result)
      error = ReplyError.of(result.code, result.text, "join #{@group}")
      @owner.membership_failed(error) unless error.retriable?
      @link.after(PAUSE) { join }
    end
  end
end
