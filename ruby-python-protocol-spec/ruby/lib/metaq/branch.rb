# frozen_string_literal: true

require_relative 'transaction'

module Metaq
  # A branch of a global transaction at one broker, for coordinators that have several resources agree: enlist, prepare, commit. To be used
  # by one thread at a time.
  #
  # @example
  #   branch = client.branch(format: 1, global: 'order-17', branch: 'queue')
  #   branch.send('paid', topic: 'payments')
  #   branch.ack(message)
  #   branch.prepare
  #   branch.commit
  class Branch
    # @return [String] such as XID:1:6f72646572:71:qualifier
    attr_reader :key

    # @param format [Integer]
    # @param global [String] up to 64 bytes
    # @param branch [String] up to 64 bytes
    # @param qualifier [String] under which prepared branches are found again
    # @return [String] the key
    def self.key(format:, global:, branch:, qualifier:)
      Checks.integer(format, 'format', -(1 << 31)..(1 << 31) - 1)
      { 'global' => global, 'branch' => branch }.each do |name, id|
        raise ArgumentError, "#{name} takes a String of up to 64 bytes, not #{id.inspect}" unless id.is_a?(String) && id.bytesize <= 64
      end
      unless qualifier.is_a?(String) && qualifier.match?(/\A[^ :[:cntrl:]]+\z/)
        raise ArgumentError, "qualifier takes a text without spaces and colons, not #{qualifier.inspect}"
      end

      "XID:#{format}:#{global.unpack1('H*')}:#{branch.unpack1('H*')}:#{qualifier}"
    end

    # @api private
    def initialize(client, link, producer, key, timeout, limit)
      @client = client
      @link = link
      @producer = producer
      @key = key
      @qualifier = key.split(':').last
      @timeout = timeout
      @limit = limit
      @parts = Core::Parts.new
      @begun = false
      @number = nil
      @acknowledged = []
    end

    # (see Transaction#send)
    def send(body = nil, topic:, **options)
      topic = Checks.topic(topic)
      place, stored, flag = @producer.prepare(topic, body, options, @link.info.broker_id, Clock.now + @timeout)
      # What grows too large for one request goes ahead in pieces.
      enlist if @parts.bytesize.positive? && @parts.bytesize + stored.bytesize > @link.info.max_body / 2
      @parts.send(topic, place.number, stored, flag)
      nil
    end

    # (see Transaction#ack)
    def ack(*messages)
      messages.flatten.each do |message|
        seat = message.owner.seat_of(message)
        raise ArgumentError, 'a branch is of one broker, and this message of another' unless seat.link.equal?(@link)

        @parts.ack(seat, message.partition, message.offset, message.next_offset)
        @acknowledged << message
      end
      nil
    end

    # Sends ahead what was gathered. Not needed before {#prepare} and {#commit_one_phase}.
    #
    # @return [nil]
    def enlist
      step('enlist', nil)
      nil
    end

    # @return [Boolean] whether there is something to commit; if not, the branch is over
    # @raise [XAError] if the broker has rolled it back
    def prepare
      step('prepare', 'prepare').start_with?('0').tap { settle }
    end

    # Commits what was not prepared.
    #
    # @return [nil]
    def commit_one_phase
      step('commit', 'commit')
      settle
      nil
    end

    # Commits what was prepared. May be called again, also from another client, if its outcome is not known.
    #
    # @return [nil]
    # @raise [XAError]
    def commit
      ask('COMMIT_TWO_PHASE')
      nil
    end

    # @return [nil]
    # @raise [XAError]
    def rollback
      ask('ROLLBACK')
      nil
    end

    # Forgets what an operator decided ({XAError#xa_code} 6 or 7).
    #
    # @return [nil]
    def forget
      ask('FORGET')
      nil
    end

    private

    def step(what, following)
      body = @parts.encode
      begun = @begun || nil
      timeout = @begun || !@limit ? nil : @limit
      answer = @client.steps.call("#{what} #{@key}", @link, body.bytesize, @timeout) do |opaque, numbers|
        Protocol::Request.enlist(@key, body, opaque, following: following, timeout: timeout, begun: begun, **numbers)
      end
      @begun = true
      @parts = Core::Parts.new
      @number = answer.text[/number (\d+)/, 1]
      answer.text
    end

    # Answered -4 the second time, it was done the first time.
    def ask(step)
      tries = 0
      @link.call("#{step.downcase} #{@key}", timeout: @timeout, repeat: true) do |opaque|
        tries += 1
        Protocol::Request.transaction(@key, @client.origin, step, opaque, qualifier: @qualifier, number: @number)
      end
    rescue XAError => e
      raise unless e.xa_code == -4 && tries > 1
    end

    def settle
      @acknowledged.each { |message| message.owner.unhold(message) }
    end
  end
end
