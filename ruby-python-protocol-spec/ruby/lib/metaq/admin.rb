# frozen_string_literal: true

module Metaq
  # Looks after topics, queues, subscriptions, groups and transactions of one broker: the first of the client's servers that answers, or
  # the one it was made for. Names, numbers and texts come as the broker tells them, in hashes; PROTOCOL.md says what they mean.
  class Admin
    # @api private
    def initialize(client, link, timeout)
      @client = client
      @link = link
      @timeout = timeout
    end

    # Makes a topic, or with `kind: 'queue'` a queue.
    #
    # @param name [String, Destination]
    # @param partitions [Integer, nil] as the broker is configured by default
    # @param settings [Hash] of the topic, such as kind: 'queue', maxDeliveries: 3; see the broker's configuration
    # @return [nil] it is on disk
    # @raise [ConflictError] if it is there
    # @raise [BadRequestError] if a setting or value is none
    def create_topic(name, partitions: nil, **settings)
      topic('create', name, partitions: partitions, **settings)
    end

    # Makes a queue.
    #
    # @param (see #create_topic)
    # @return (see #create_topic)
    def create_queue(name, partitions: nil, **settings)
      create_topic(name, partitions: partitions, kind: 'queue', **settings)
    end

    # Changes settings, or adds partitions. A setting with an empty value is taken back.
    #
    # @param (see #create_topic)
    # @return [nil]
    # @raise [NotFoundError]
    def alter_topic(name, partitions: nil, **settings)
      topic('alter', name, partitions: partitions, **settings)
    end

    # Deletes a topic or queue, and its messages for good.
    #
    # @param name [String, Destination]
    # @return [nil]
    # @raise [NotFoundError]
    def delete_topic(name)
      @client.routes.forget(name)
      topic('delete', name)
    end

    # Refuses messages, or readers, or both, until {#open_topic}.
    #
    # @param name [String, Destination]
    # @param partitions [Integer, Range, nil] all by default
    # @param for_ [Symbol] :publish, :subscribe or :both
    # @return [nil]
    def close_topic(name, partitions: nil, for_: :both)
      topic('close', name, partition: span(partitions), for: Checks.one_of(for_, 'for_', %i[publish subscribe both]))
    end

    # (see #close_topic)
    def open_topic(name, partitions: nil, for_: :both)
      topic('open', name, partition: span(partitions), for: Checks.one_of(for_, 'for_', %i[publish subscribe both]))
    end

    # @param name [String, Destination]
    # @return [Hash] what the broker tells, 'settings' => Hash, 'partitions' => Array of hashes with partition, min, max, messages, state
    # @raise [NotFoundError]
    def describe_topic(name)
      lines = ask_topic('describe', name).split("\r\n")
      described = lines.grep_v(/\A(set|partition) /).to_h { |line| line.split(' ', 2) }
      described['settings'] = lines.grep(/\Aset /).to_h { |line| line.split(' ', 3).drop(1) }
      described.merge('partitions' => lines.grep(/\Apartition /).map { |line| pairs(line) })
    end

    # @param glob [String] * stands for any characters
    # @return [Hash{String => Integer}] names and numbers of partitions
    def topics(glob = '*')
      lines(ask_topic('list', glob, check: false)).to_h { |name, count| [name, count.to_i] }
    end

    # Reads every message of a topic and checks it against its checksum.
    #
    # @param name [String, Destination]
    # @param partitions [Integer, Range, nil] all by default
    # @param timeout [Numeric] seconds: it takes as long as reading everything does
    # @return [Array<Hash>] for each partition its partition, messages, damaged
    def scrub_topic(name, partitions: nil, timeout: 600)
      text = ask_topic('scrub', name, timeout: timeout, partition: span(partitions))
      text.split("\r\n").grep(/\Apartition /).map { |line| pairs(line) }
    end

    # What the broker counts.
    #
    # @param item [String, nil] topics, offsets, realtime, help, or a topic
    # @return [Hash{String => String}, Array<String>] of the broker's own figures a hash, else the lines
    def stats(item = nil)
      item &&= Checks.token(item, 'item')
      text = ask('stats') { |opaque| Protocol::Request.stats(item, opaque) }
      lines = text.split(/\r?\n/) - %w[STATS END]
      item ? lines : lines.to_h { |line| line.split(' ', 2) }
    end

    # @return [Core::ServerInfo] what the broker said of itself
    def server
      @link.await(Clock.now + @timeout)
    end

    # @param glob [String]
    # @return [Hash{String => Integer}] groups and numbers of members
    def groups(glob = '*')
      lines(group('list', glob)).to_h { |name, _, count| [name, count.to_i] }
    end

    # @param name [String]
    # @return [Hash] 'members' => Array, 'partitions' => Array of hashes with topic, partition, offset, end, lag, owner
    # @raise [NotFoundError]
    def describe_group(name)
      all = lines(group('describe', name))
      partitions = all.select { |line| line.first == 'partition' }.map do |line|
        { 'topic' => line[1], 'partition' => line[2].to_i }.merge(pairs(line.drop(3).join(' ')))
      end
      { 'members' => all.select { |line| line.first == 'member' }.map { |line| line[1] }, 'partitions' => partitions }
    end

    # @param name [String]
    # @param topic [String, nil]
    # @return [Hash{Array(String, Integer) => Integer}] topic and partition to offset
    def group_offsets(name, topic: nil)
      lines(group('offsets', name, topic: topic && Checks.topic(topic))).to_h { |t, partition, offset| [[t, partition.to_i], offset.to_i] }
    end

    # Moves a group that has no members.
    #
    # @param name [String]
    # @param topic [String]
    # @param to [Symbol, Integer, Time] :first, :last, an offset, or the first message stored then or later
    # @param partition [Integer, nil] all by default
    # @return [nil]
    # @raise [ConflictError] while a member owns a partition of the topic
    def reset_group(name, topic:, to:, partition: nil)
      group('reset', name, topic: Checks.topic(topic), partition: partition, to: place(to))
      nil
    end

    # @return [Array<Hash>] positions of the group at times: 'at' => ms since 1970, 'offsets' as of {#group_offsets}
    def group_history(name, topic: nil)
      lines(group('history', name, topic: topic && Checks.topic(topic))).each_with_object([]) do |line, history|
        next history << { 'at' => line[1].to_i, 'offsets' => {} } if line.first == 'at'

        history.last['offsets'][[line[0], line[1].to_i]] = line[2].to_i
      end
    end

    # Forgets a group.
    #
    # @return [nil]
    # @raise [NotFoundError]
    # @raise [ConflictError] while it has members
    def delete_group(name)
      group('delete', name)
      nil
    end

    # Makes a subscription of a topic, which gathers messages from now on, or from some place.
    #
    # @param name [String] in full: {Client#subscription} makes what JMS and this client use
    # @param topic [String]
    # @param shared [Boolean]
    # @param selector [String, nil]
    # @param from [Symbol, Integer, Time] :first, :last, an offset, a time
    # @return [nil]
    # @raise [ConflictError] if it is there
    def create_subscription(name, topic:, shared: false, selector: nil, from: :last)
      subscription('create', name, topic: Checks.topic(topic), kind: shared ? 'shared-durable' : 'durable', selector: selector,
                                   from: place(from))
      nil
    end

    # @param glob [String]
    # @param topic [String, nil]
    # @return [Array<Hash>] with name, topic, kind, consumers, depth
    def subscriptions(glob = '*', topic: nil)
      subscription('list', glob, topic: topic && Checks.topic(topic)).split("\r\n").map do |line|
        name, rest = line.split(' ', 2)
        { 'name' => Protocol::Escape.decode(name) }.merge(pairs(rest))
      end
    end

    # @return [Array<String>] lines
    # @raise [NotFoundError]
    def describe_subscription(name)
      subscription('describe', name).split("\r\n")
    end

    # Everything that is there now counts as acknowledged.
    #
    # @return [nil]
    def purge_subscription(name)
      subscription('purge', name) && nil
    end

    # Goes on from some place, backwards too.
    #
    # @param to [Symbol, Integer, Time] :first, :last, an offset, a time
    # @param partition [Integer, nil]
    # @return [nil]
    def seek_subscription(name, to:, partition: nil)
      subscription('seek', name, to: place(to), partition: partition) && nil
    end

    # Delivers nothing until {#resume_subscription}.
    #
    # @return [nil]
    def pause_subscription(name)
      subscription('pause', name) && nil
    end

    # @return [nil]
    def resume_subscription(name)
      subscription('resume', name) && nil
    end

    # @return [nil]
    # @raise [ConflictError] while it has consumers
    def delete_subscription(name)
      subscription('delete', name) && nil
    end

    # Takes messages out and puts them into another queue or topic.
    #
    # @return [Integer] how many
    def move_messages(name, to:, selector: nil, count: nil, id: nil)
      subscription('move', name, to: Checks.topic(to, 'to'), selector: selector, count: count, id: id)[/moved (\d+)/, 1].to_i
    end

    # Puts dead letters back to where they came from.
    #
    # @param queue [String] the dead letter queue
    # @return [Integer] how many
    def redrive(queue, count: nil)
      subscription('redrive', "queue:#{Checks.topic(queue, 'queue')}", count: count)[/moved (\d+)/, 1].to_i
    end

    # @return [Array<String>] why a consumer gets nothing: a sentence, then what was counted
    def explain(name, selector: nil)
      subscription('explain', name, selector: selector).split("\r\n")
    end

    # @param glob [String] of keys
    # @return [Array<Hash>] with key, phase, age, messages, bytes, acknowledged, owner
    def transactions(glob = '*')
      tx('list', glob).split("\r\n").map do |line|
        key, rest = line.split(' ', 2)
        { 'key' => key }.merge(pairs(rest))
      end
    end

    # @return [Array<String>] lines
    # @raise [NotFoundError]
    def show_transaction(key)
      tx('show', key).split("\r\n")
    end

    # Decides a prepared branch in its coordinator's place, who is gone for good.
    #
    # @param commit [Boolean] or else roll back
    # @return [nil]
    # @raise [NotFoundError, ConflictError]
    def decide_transaction(key, commit:)
      tx(commit ? 'commit' : 'rollback', key) && nil
    end

    # Forgets a branch that was decided so.
    #
    # @return [nil]
    def forget_transaction(key)
      tx('forget', key) && nil
    end

    private

    def ask(what, timeout: @timeout, &request)
      @link.call(what, timeout: timeout, repeat: true, &request).text
    end

    # What changes something is not asked again: the second time it would be there already.
    def topic(operation, name, **options)
      name = Checks.topic(name, 'name')
      @link.call("#{operation} topic #{name}", timeout: @timeout) { |opaque| Protocol::Request.topic(operation, name, opaque, **options) }
      nil
    end

    def ask_topic(operation, name, check: true, timeout: @timeout, **options)
      name = check ? Checks.topic(name, 'name') : Checks.token(name, 'glob')
      ask("#{operation} topic #{name}", timeout: timeout) { |opaque| Protocol::Request.topic(operation, name, opaque, **options) }
    end

    def group(operation, name, **options)
      name = Checks.token(name, 'name')
      ask("#{operation} group #{name}") { |opaque| Protocol::Request.group(operation, name, opaque, **options) }
    end

    def subscription(operation, name, **options)
      name = Checks.text(name, 'name')
      @link.call("#{operation} subscription #{name}", timeout: @timeout) do |opaque|
        Protocol::Request.subscription(operation, name, opaque, **options)
      end.text
    end

    def tx(operation, key)
      key = Checks.token(key, 'key')
      @link.call("#{operation} transaction #{key}", timeout: @timeout) { |opaque| Protocol::Request.tx(operation, key, opaque) }.text
    end

    def place(to)
      Offsets.check(to)
      to.is_a?(Time) ? "time:#{Headers.milliseconds(:to, to)}" : to.to_s
    end

    def span(partitions)
      case partitions
      when nil, Integer then partitions
      when Range then "#{partitions.begin}-#{partitions.max}"
      else raise ArgumentError, "partitions takes an Integer or a Range, not #{partitions.inspect}"
      end
    end

    def lines(text)
      text.split("\r\n").map(&:split)
    end

    # `key value key value …`; values that are numbers become Integers.
    def pairs(line)
      line.split.each_slice(2).to_h { |key, value| [key, value&.match?(/\A-?\d+\z/) ? value.to_i : value] }
    end
  end
end
