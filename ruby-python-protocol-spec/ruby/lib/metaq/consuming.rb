# frozen_string_literal: true

module Metaq
  # What a {Client} has for those who receive.
  module Consuming
    # Attaches to a queue, at every broker that has it. A queue that nobody has is made, if the brokers' configuration allows.
    #
    # @param queue [String, Destination]
    # @param selector [String, nil] only messages for which it is true; the others stay for other receivers
    # @param prefetch [Integer] messages that wait here for the application; 0 takes each only when it is asked for
    # @param prefetch_bytes [Integer] bytes of them, but for one message that may be longer
    # @param timeout [Numeric] for an answer of the broker, and for a message where no other is given
    # @yieldparam receiver [Receiver] closed behind the block
    # @return [Receiver, Object] the receiver, or what the block returns
    # @raise [BadRequestError] if the selector is none
    # @raise [ConflictError] if there is a topic of that name
    def receiver(queue, selector: nil, prefetch: 100, prefetch_bytes: 1_048_576, timeout: @request_timeout, &block)
      queue = Checks.topic(queue, 'queue')
      attach(queue, "queue:#{queue}", 'queue', selector, false, prefetch, prefetch_bytes, timeout, &block)
    end

    # Attaches to a subscription of a topic: it gets what is sent from its beginning on.
    #
    # @param topic [String, Destination]
    # @param name [String, nil] of the subscription; needed where it is durable or shared
    # @param durable [Boolean] whether it stays, and gathers messages, when nobody is attached, until it is deleted
    # @param shared [Boolean] whether several may be attached at a time, and share the messages
    # @param no_local [Boolean] whether messages of this client's own are left out. Those of producers that were made before are not
    # @param (see #receiver)
    # @yieldparam receiver [Receiver] closed behind the block
    # @return [Receiver, Object] the receiver, or what the block returns
    # @raise [ConflictError] if the subscription is in use, or another one of that name is
    def subscribe(topic, name: nil, durable: false, shared: false, selector: nil, no_local: false, prefetch: 100,
                   prefetch_bytes: 1_048_576, timeout: @request_timeout, &block)
      raise ArgumentError, 'a durable or shared subscription needs a name' if (durable || shared) && name.nil?

      topic = Checks.topic(topic)
      kind = [('shared' if shared), ('durable' if durable)].compact.join('-')
      full = kind.empty? ? "exclusive:#{SecureRandom.uuid}" : subscription(name, durable: durable)
      @marks_origin = true if no_local
      attach(topic, full, kind.empty? ? 'exclusive' : kind, selector, no_local, prefetch, prefetch_bytes, timeout, &block)
    end

    # Reads a topic from a place on, without being remembered.
    #
    # @param topic [String, Destination]
    # @param partitions [Integer, Array<Integer>, nil] all by default, also those that are added later
    # @param from [Integer, Symbol, Time] offset of a message, :first, :last (what is sent from now on), or what was stored then or later
    # @param slice_bytes [Integer] bytes that are asked for at once
    # @param buffer_bytes [Integer] bytes of each partition that are read ahead
    # @param timeout [Numeric] for an answer of the broker, and for a message where no other is given
    # @yieldparam reader [Reader] closed behind the block
    # @return [Reader, Object] the reader, or what the block returns
    # @raise [NotFoundError] if there is no such topic or partition
    def reader(topic, partitions: nil, from: :first, slice_bytes: 1_048_576, buffer_bytes: 2_097_152, timeout: @request_timeout, &block)
      check
      Checks.seconds(timeout, 'timeout', least: 0.001)
      made = Reader.new(self, Checks.topic(topic), partitions: partitions, from: from, slice_bytes: slice_bytes, buffer_bytes: buffer_bytes,
                                                   timeout: timeout)
      lend(own(made).start, &block)
    end

    # Joins a consumer group.
    #
    # @param group [String]
    # @param topics [Array<String, Destination>]
    # @param member [String, nil] a name that no other member has
    # @param from [Integer, Symbol, Time] where the group begins in a partition in which it never was
    # @param auto_commit [Boolean] whether positions are told to the broker now and then; if not, {GroupConsumer#commit} does
    # @param commit_interval [Numeric]
    # @param on_change [#call, nil] told what this member reads from now on and what not any more, each an array of topic, broker, partition
    # @param (see #reader)
    # @yieldparam consumer [GroupConsumer] closed behind the block
    # @return [GroupConsumer, Object] the consumer, or what the block returns
    # @raise [NotFoundError] if nobody has any of the topics
    def group_consumer(group, *topics, member: nil, from: :first, auto_commit: true, commit_interval: 5, slice_bytes: 1_048_576,
                       buffer_bytes: 2_097_152, timeout: @request_timeout, on_change: nil, &block)
      check
      Checks.seconds(timeout, 'timeout', least: 0.001)
      made = GroupConsumer.new(self, group, topics, member: member || "ruby-#{SecureRandom.uuid}", from: from, auto_commit: auto_commit,
                                                    commit_interval: commit_interval, slice_bytes: slice_bytes, buffer_bytes: buffer_bytes,
                                                    timeout: timeout, on_change: on_change)
      lend(own(made).start, &block)
    end

    # Looks at what a topic keeps.
    #
    # @param topic [String, Destination]
    # @param partitions [Integer, Array<Integer>, nil] all by default
    # @param from [Integer, Symbol, Time] see {#reader}
    # @param timeout [Numeric] for an answer of the broker
    # @return [TopicBrowser]
    def browse(topic, partitions: nil, from: :first, timeout: @request_timeout)
      check
      TopicBrowser.new(self, Checks.topic(topic), partitions, from, timeout)
    end

    # Looks at what waits in a queue.
    #
    # @param queue [String, Destination]
    # @param selector [String, nil] only messages for which it is true
    # @param timeout [Numeric] for an answer of the broker
    # @return [QueueBrowser]
    def browse_queue(queue, selector: nil, timeout: @request_timeout)
      check
      QueueBrowser.new(self, Checks.topic(queue, 'queue'), selector, timeout)
    end

    # What the broker, and with it JMS, calls a durable or shared subscription of this client.
    #
    # @param name [String]
    # @param durable [Boolean]
    # @return [String]
    def subscription(name, durable: true)
      "#{durable ? 'durable' : 'shared'}:#{@client_id.to_s.gsub('%', '%25').gsub(':', '%3A')}:#{Checks.text(name, 'name')}"
    end

    # @api private
    def looking(queue, selector, timeout, &block)
      attach(queue, "queue:#{queue}", 'browse', selector, false, 0, 1, timeout, &block)
    end

    private

    def attach(topic, name, kind, selector, no_local, prefetch, prefetch_bytes, timeout, &block)
      check
      Checks.seconds(timeout, 'timeout', least: 0.001)
      links = links_of(topic, Clock.now + timeout)
      made = Receiver.new(self, links, topic, name, kind: kind, selector: selector, no_local: no_local, prefetch: prefetch,
                                                    prefetch_bytes: prefetch_bytes, timeout: timeout)
      lend(own(made).attach, &block)
    rescue Error
      disown(made)
      raise
    end

    # To the block, if there is one, and closed behind it.
    def lend(made)
      return made unless block_given?

      begin
        yield made
      ensure
        made.close
      end
    end

    # The links to the brokers that have the topic; to one that may make it if there are none.
    def links_of(topic, deadline)
      places = @routes.of(topic, deadline, fresh: true).uniq { |place| place.broker_id || place.address }
      links = places.map { |place| link(place.address, place.broker_id) }.uniq
      links.empty? ? [home(deadline)] : links
    end
  end
end
