# frozen_string_literal: true

require_relative 'core/partitioners'

module Metaq
  # Where the partitions of topics are, as any broker tells. Remembered for a while.
  #
  # @api private
  class Routes
    KEPT = 30

    # @param client [Client]
    def initialize(client)
      @client = client
      @lock = Mutex.new
      @known = {}
      @writable = {}
    end

    # @param topic [String]
    # @param deadline [::Float]
    # @param fresh [Boolean] whether to ask even though it is remembered
    # @return [Array<Core::Place>] sorted; empty if nobody has the topic
    def of(topic, deadline, fresh: false)
      found, until_ = @known[topic]
      return found if found && !fresh && Clock.now < until_

      places = ask(topic, deadline)
      @lock.synchronize do
        if places.empty?
          @known.delete(topic)
        else
          @known[topic] = [places.freeze, Clock.now + KEPT]
        end
      end
      places
    end

    # @return [Array<Core::Place>] those that can be written to; all if none can, so that the broker says why; empty if nobody has the topic
    def writable(topic, deadline)
      found = of(topic, deadline)
      kept = @writable[topic]
      return kept[1] if kept && kept[0].equal?(found)

      open = found.select(&:publish)
      open = found if open.empty?
      @lock.synchronize { @writable[topic] = [found, open.freeze] } unless found.empty?
      open
    end

    # Nothing is remembered of it any more.
    def forget(topic)
      @lock.synchronize do
        @known.delete(topic)
        @writable.delete(topic)
      end
    end

    # @param text [String] the answer to topic routes
    # @param tls [Boolean] whether the ports for TLS are wanted: where none is told there is no address
    # @return [Array<Core::Place>] sorted
    def self.parse(text, tls: false)
      places = text.split("\r\n").flat_map do |line|
        match = /\Abroker (\d+) (\S+) partitions (\d+) publish (true|false) subscribe (true|false)(?:.*? tls (\d+))?/.match(line) or next []
        address = Address.parse(match[2])
        address = match[6] && Address.new(address.host, match[6].to_i).freeze if tls
        Array.new(match[3].to_i) { |n| Core::Place.new(match[1].to_i, address, n, match[4] == 'true', match[5] == 'true') }
      end
      places.sort_by { |place| [place.broker_id, place.number] }
    end

    private

    # Each of the servers is asked: one without ZooKeeper knows but itself.
    def ask(topic, deadline)
      links = @client.reachable(deadline)
      places = links.flat_map { |link| link.info.feature?('routes') ? told(link, topic, deadline) : describe(link, topic, deadline) }
      usable(places, links).uniq { |place| [place.broker_id, place.number] }.sort_by { |place| [place.broker_id || 0, place.number] }
    end

    def told(link, topic, deadline)
      answer = link.call("routes of #{topic}", timeout: left(deadline), repeat: true, accept: [200, 404]) do |opaque|
        Protocol::Request.topic('routes', topic, opaque)
      end
      answer.ok? ? Routes.parse(answer.text, tls: @client.tls?) : []
    rescue ConnectionError
      # Another one may know.
      raise if @client.reachable(deadline).none? { |other| !other.equal?(link) }

      []
    end

    # With TLS: those that were reached by it, and others whose port for it is told.
    def usable(places, links)
      return places unless @client.tls?

      reached = links.to_h { |link| [link.info.broker_id, link.address] }
      places.each { |place| place.address = reached.fetch(place.broker_id, place.address) }.select(&:address)
    end

    # Of brokers that do not tell routes.
    def describe(link, topic, deadline)
      count = link.info.feature?('topic') ? described(link, topic, deadline) : counted(link, topic, deadline)
      Array.new(count) { |n| Core::Place.new(link.info.broker_id, link.address, n, true, true) }
    end

    def described(link, topic, deadline)
      answer = link.call("describe #{topic}", timeout: left(deadline), repeat: true, accept: [200, 404]) do |opaque|
        Protocol::Request.topic('describe', topic, opaque)
      end
      answer.ok? ? answer.text[/^partitions (\d+)/, 1].to_i : 0
    end

    # A broker of 1.4 knows neither, but counts.
    def counted(link, topic, deadline)
      answer = link.call("stats of #{topic}", timeout: left(deadline), repeat: true) { |opaque| Protocol::Request.stats('topics', opaque) }
      answer.text[/^#{Regexp.escape(topic)} partitions (\d+)/, 1].to_i
    end

    def left(deadline)
      [deadline - Clock.now, 0.001].max
    end
  end
end
