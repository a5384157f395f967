# frozen_string_literal: true

require_relative 'link'
require_relative 'routes'
require_relative 'producer'
require_relative 'large'
require_relative 'receiver'

module Metaq
  # A client of one broker or several. Any thread may use it, and everything that is made of it; what a thread must not share says so. It has
  # a thread and a socket for each broker that it talks to, and ends both with {#close}.
  #
  # After a fork the parent goes on; in the child every use raises {ForkedError}, and {#close} closes the child's copies without a word to
  # the broker. Open a client of its own there.
  #
  # All times are seconds, unless a name ends in _ms.
  #
  # @example
  #   Metaq::Client.open('127.0.0.1:8123') do |client|
  #     client.producer('orders').send('hello')
  #   end
  class Client
    # @api private
    attr_reader :pid, :routes, :large

    # @return [String, nil] the client id that this client holds at its brokers
    attr_reader :client_id
    # @return [Numeric] seconds
    attr_reader :request_timeout

    # Opens a client, and closes it behind the block if there is one.
    #
    # @param (see #initialize)
    # @yieldparam client [Client]
    # @return [Client, Object] the client, or what the block returns
    def self.open(*servers, **options)
      client = new(*servers, **options)
      return client unless block_given?

      begin
        yield client
      ensure
        client.close
      end
    end

    # Connects to the first of the servers that answers.
    #
    # @param servers [Array<String>] HOST:PORT, each a broker; by default the environment's METAQ_SERVER, else 127.0.0.1:8123
    # @param name [String] by which the broker's operator knows this application
    # @param user [String, nil]
    # @param password [String, nil]
    # @param client_id [String, nil] no other connection to the broker has it while this one stands
    # @param tls [Boolean, Hash, Tls] true, or what {Tls#initialize} takes
    # @param connect_timeout [Numeric] for a connection, login included
    # @param request_timeout [Numeric] for an answer, reconnects included
    # @param heartbeat [Numeric] of silence, after which the broker is asked whether it is there
    # @param logger [Logger, nil] told about lost connections
    # @raise [ConnectionError, UnauthorizedError, TlsError] if none of the servers can be used
    # @raise [ArgumentError]
    def initialize(*servers, name: 'ruby', user: nil, password: nil, client_id: nil, tls: nil, connect_timeout: 5, request_timeout: 30,
                   heartbeat: 10, logger: nil)
      servers = (ENV['METAQ_SERVER'] || '127.0.0.1:8123').split(',') if servers.empty?
      @servers = servers.flatten.map { |server| Address.parse(server) }
      raise ArgumentError, 'user and password need each other' if user.nil? != password.nil?

      @client_id = client_id && Checks.text(client_id, 'client_id')
      @request_timeout = Checks.seconds(request_timeout, 'request_timeout', least: 0.001)
      @settings = Link::Settings.new(
        name: Checks.text(name, 'name'), login: user && [Checks.text(user, 'user'), Protocol::Escape.utf8(password)], client_id: @client_id,
        tls: Tls.of(tls), connect_timeout: Checks.seconds(connect_timeout, 'connect_timeout', least: 0.001),
        request_timeout: request_timeout, heartbeat: Checks.seconds(heartbeat, 'heartbeat', least: 0.1), logger: logger
      )
      begin_with
    end

    # Makes a producer.
    #
    # @param topic [String, nil] where its messages go unless a send says otherwise
    # @param timeout [Numeric] for a send, repetitions included
    # @param idempotent [Boolean]
    # @param durability [Symbol, nil] :os or :disk; as the topic is configured by default
    # @param partitioner [#call] see {Core::Partitioners}
    # @param batch_bytes [Integer] bytes of a batch
    # @param buffer_bytes [Integer] bytes that may be without an answer before a send waits
    # @param large_bytes [Integer, nil] payloads above are stored in chunks; by default above 8 MiB, or what the broker takes
    # @param ordered [Boolean] keeps the order even if the broker is too busy for a batch, at the price of speed
    # @return [Producer]
    def producer(topic = nil, timeout: 30, idempotent: true, durability: nil, partitioner: Core::Partitioners::ByKey.new,
                 batch_bytes: 262_144, buffer_bytes: 33_554_432, large_bytes: nil, ordered: false)
      check
      made = Producer.new(self, topic, timeout: timeout, idempotent: idempotent, durability: durability, partitioner: partitioner,
                                       batch_bytes: batch_bytes, buffer_bytes: buffer_bytes, large_bytes: large_bytes, ordered: ordered)
      @lock.synchronize { @producers << made }
      made
    end

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

    # What the broker, and with it JMS, calls a durable or shared subscription of this client.
    #
    # @param name [String]
    # @param durable [Boolean]
    # @return [String]
    def subscription(name, durable: true)
      "#{durable ? 'durable' : 'shared'}:#{@client_id.to_s.gsub('%', '%25').gsub(':', '%3A')}:#{Checks.text(name, 'name')}"
    end

    # Ends everything that was made of it. Sends that are under way are waited for as long as they may take.
    #
    # @return [nil]
    def close
      return if @closed

      mine = Process.pid == @pid
      @owned.dup.each(&:close) if mine
      @producers.dup.each(&:close) if mine
      @large.close if mine
      @closed = true
      @links.each_value(&:close)
      nil
    end

    # @return [Boolean]
    def closed?
      @closed
    end

    # @api private
    # @raise [ForkedError, ClosedError]
    def check
      unless Process.pid == @pid
        raise ForkedError, 'this client was opened before the process was forked: open another one in the child'
      end
      raise ClosedError, 'the client is closed' if @closed
    end

    # The link to a broker. One that is among the servers is reached as the application said, whatever it says of itself.
    #
    # @api private
    def link(address, broker_id = nil)
      @lock.synchronize do
        raise ClosedError, 'the client is closed' if @closed

        known = broker_id && @links.each_value.find { |each| each.info&.broker_id == broker_id && @servers.include?(each.address) }
        known || (@links[address] ||= Link.new(address, @settings))
      end
    end

    # A link that is up: the one used before, as long as it stands.
    #
    # @api private
    # @raise [TimeoutError, UnauthorizedError, TlsError]
    def home(deadline)
      check
      home = @home
      return home if home&.up?

      loop do
        links = @servers.map { |address| link(address) }
        found = links.find(&:up?)
        return @home = found if found

        links.rotate(@turn += 1).first.await([deadline, links.one? ? deadline : Clock.now + 0.1].min)
      rescue TimeoutError
        raise if Clock.now >= deadline
      end
    end

    # @api private
    # @return [Boolean]
    def tls?
      !@settings.tls.nil?
    end

    # @api private
    # @return [Array<Link>] to those of the servers that answer; at least one
    def reachable(deadline)
      home(deadline)
      @servers.map { |address| link(address) }.select(&:up?)
    end

    # @api private
    # @return [String] by which messages of this client are known
    attr_reader :origin

    # @api private
    # @return [Boolean] whether messages are to say that they are this client's
    def marks_origin?
      @marks_origin
    end

    # @api private
    # @return [Array<Link>] to the brokers that have the topic; to one that may make it if there are none
    def links_of(topic, deadline)
      places = @routes.of(topic, deadline, fresh: true).uniq(&:address)
      links = places.map { |place| link(place.address, place.broker_id) }.uniq
      links.empty? ? [home(deadline)] : links
    end

    # @api private
    def own(closeable)
      @lock.synchronize { @owned << closeable }
      closeable
    end

    # @api private
    def disown(closeable)
      @lock.synchronize { @owned.delete(closeable) }
    end

    # @api private
    def forget_producer(producer)
      @lock.synchronize { @producers.delete(producer) }
    end

    private

    def attach(topic, name, kind, selector, no_local, prefetch, prefetch_bytes, timeout)
      check
      Checks.seconds(timeout, 'timeout', least: 0.001)
      links = links_of(topic, Clock.now + timeout)
      made = Receiver.new(self, links, topic, name, kind: kind, selector: selector, no_local: no_local, prefetch: prefetch,
                                                    prefetch_bytes: prefetch_bytes, timeout: timeout)
      own(made.attach)
      return made unless block_given?

      begin
        yield made
      ensure
        made.close
      end
    end

    def begin_with
      @pid = Process.pid
      @lock = Mutex.new
      @links = {}
      @producers = []
      @owned = []
      @turn = -1
      @closed = false
      @origin = @client_id || SecureRandom.uuid
      @marks_origin = !@client_id.nil?
      @routes = Routes.new(self)
      @large = Large.new(self)
      home(Clock.now + @settings.connect_timeout)
    rescue Error
      @links.each_value { |each| each.close(0) }
      @closed = true
      raise
    end
  end
end
