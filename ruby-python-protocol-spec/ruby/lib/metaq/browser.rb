# frozen_string_literal: true

require_relative 'core/slice'

module Metaq
  # Looks at what a topic keeps, from one place to another, without being anybody's consumer. Ends at the end that the topic has when it
  # begins. Each walk over it begins anew.
  #
  # @example
  #   client.browse('events', from: :first).lazy.select { |message| message['level'] == 'error' }.first(10)
  class TopicBrowser
    include Enumerable

    SLICE = 1_048_576

    # @api private
    def initialize(client, topic, partitions, from, timeout)
      @client = client
      @topic = topic
      @partitions = partitions && Array(partitions)
      @from = Offsets.check(from)
      @timeout = timeout
    end

    # @yieldparam message [ReceivedMessage] partition by partition, in the order of each
    # @return [self]
    # @raise [NotFoundError] if nobody has the topic
    # @raise [DamagedMessageError] at a message whose checksum is wrong
    def each(&block)
      return enum_for(:each) unless block

      @client.check
      places = @client.routes.of(@topic, Clock.now + @timeout, fresh: true)
      raise NotFoundError.new(404, "nobody has the topic #{@topic}", 'browse') if places.empty?

      places = places.select { |place| @partitions.include?(place.number) } if @partitions
      places.map { |place| [place, *ends(place)] }.each { |place, start, stop| walk(place, start, stop, &block) }
      self
    end

    # Where a partition is read.
    Source = Struct.new(:client, :topic, :broker_id, :link) do
      def fetch(_message, headers, list)
        client.large.fetch(link.address, broker_id, headers, list)
      end
    end
    private_constant :Source

    private

    def ends(place)
      link = @client.link(place.address, place.broker_id)
      [@from, :last].map { |at| @client.offsets.find(@topic, place, at, link, @timeout) }
    end

    def walk(place, offset, stop)
      link = @client.link(place.address, place.broker_id)
      source = Source.new(@client, @topic, place.broker_id, link)
      joiner = Core::Joiner.new(offset, SLICE)
      while joiner.offset < stop
        answer = read(link, place, *joiner.wanted)
        if answer.is_a?(Protocol::Result)
          return if answer.code == 404

          next joiner.restart(Integer(answer.text.strip, 10))
        end
        slice = joiner.came(answer.bytes) or next
        yield slice.take(source, place.number) while !slice.end? && slice.position < stop
      end
    end

    def read(link, place, offset, size)
      link.call("browse #{@topic}-#{place.number}", timeout: @timeout, repeat: true, accept: [200, 301, 404]) do |opaque|
        Protocol::Request.get(@topic, 'browser', place.number, offset, size, opaque)
      end
    end
  end

  # Looks at what waits in a queue, and takes nothing. Each walk over it begins anew.
  class QueueBrowser
    include Enumerable

    BATCH = 100

    # @api private
    def initialize(client, queue, selector, timeout)
      @client = client
      @queue = queue
      @selector = selector
      @timeout = timeout
    end

    # @yieldparam message [ReceivedMessage] in the order in which they would be delivered
    # @return [self]
    # @raise [BadRequestError] if the selector is none
    def each(&block)
      return enum_for(:each) unless block

      @client.looking(@queue, @selector, @timeout) do |receiver|
        loop do
          came = receiver.pull(BATCH)
          break if came.empty?

          came.each(&block)
        end
      end
      self
    end
  end
end
