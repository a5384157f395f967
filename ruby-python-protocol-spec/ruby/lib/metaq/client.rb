# frozen_string_literal: true

require_relative 'link'
require_relative 'routes'
require_relative 'producer'
require_relative 'large'
require_relative 'receiver'
require_relative 'reader'
require_relative 'group_consumer'
require_relative 'browser'
require_relative 'branch'
require_relative 'destination'
require_relative 'requestor'
require_relative 'admin'
require_relative 'consuming'

module Metaq
  # A client of one broker or several. Any thread may use it, and everything that is made of it; what a thread must not share says so. It
  # has a thread and a socket for each broker that it talks to, and ends both with {#close}.
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
    include Consuming

    PRODUCER = { timeout: 30, idempotent: true, durability: nil, partitioner: nil, batch_bytes: 262_144,
                 buffer_bytes: 33_554_432, large_bytes: nil, ordered: false }.freeze
    private_constant :PRODUCER

    # @api private
    attr_reader :routes, :large, :offsets, :steps

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
    def producer(topic = nil, **options)
      check
      unknown = options.keys - PRODUCER.keys
      raise ArgumentError, "a producer has no #{unknown.join(', ')}; it has #{PRODUCER.keys.join(', ')}" unless unknown.empty?

      made = Producer.new(self, topic, **PRODUCER, **options)
      @lock.synchronize { @producers << made }
      made
    end

    # Sends and acknowledges as one step: with a block, commits behind it, and does nothing of it if the block raises.
    #
    # @param timeout [Numeric] for the commit, reconnects included
    # @yieldparam transaction [Transaction]
    # @return [Transaction, Object] the transaction, or what the block returns
    # @raise [Error] see {Transaction#commit}
    def transaction(timeout: @request_timeout)
      check
      made = Transaction.new(self, quiet_producer, Checks.seconds(timeout, 'timeout', least: 0.001))
      return made unless block_given?

      result = yield made
      made.commit unless made.done?
      result
    end

    # Makes a branch of a global transaction, at the first of the servers that answers.
    #
    # @param global [String] bytes, up to 64
    # @param branch [String] bytes, up to 64
    # @param format [Integer]
    # @param qualifier [String] under which {#recover} finds the client's branches again; without spaces and colons
    # @param timeout [Numeric] for an answer, reconnects included
    # @param limit [Integer, nil] seconds after which the broker rolls it back unless it is prepared
    # @return [Branch]
    def branch(global:, branch:, format: 1, qualifier: 'ruby', timeout: @request_timeout, limit: nil)
      key = Branch.key(format: format, global: global, branch: branch, qualifier: qualifier)
      limit && Checks.integer(limit, 'limit', 1..)
      Branch.new(self, home(Clock.now + timeout), quiet_producer, key, Checks.seconds(timeout, 'timeout', least: 0.001), limit)
    end

    # Finds branches that are prepared, or were decided by an operator, to commit or roll them back.
    #
    # @param qualifier [String, nil] those with that qualifier
    # @return [Array<Branch>]
    def recover(qualifier: nil, timeout: @request_timeout)
      link = home(Clock.now + timeout)
      answer = link.call('recover', timeout: timeout, repeat: true) do |opaque|
        Protocol::Request.transaction('null', @origin, 'RECOVER', opaque, qualifier: qualifier && Checks.token(qualifier, 'qualifier'))
      end
      answer.text.split("\r\n").map { |key| Branch.new(self, link, quiet_producer, key, timeout, nil) }
    end

    # Makes a queue in the broker's memory, for answers to this client.
    #
    # @return [TemporaryDestination]
    def temporary_queue(timeout: @request_timeout)
      TemporaryDestination.new(self, home(Clock.now + timeout), :temporary_queue).create(timeout)
    end

    # (see #temporary_queue)
    def temporary_topic(timeout: @request_timeout)
      TemporaryDestination.new(self, home(Clock.now + timeout), :temporary_topic).create(timeout)
    end

    # Sends a message and waits for the answer to it. For many of them {#requestor} is quicker.
    #
    # @param topic [String, Destination] who answers
    # @param body [Object] see {Message#initialize}
    # @param timeout [Numeric]
    # @param options [Hash] see {Message#initialize}
    # @return [ReceivedMessage]
    # @raise [TimeoutError] if there is none in time
    def request(topic, body = nil, timeout: @request_timeout, **options)
      made = requestor(topic)
      made.request(body, timeout: timeout, **options)
    ensure
      made&.close
    end

    # @param topic [String, Destination] who answers
    # @return [Requestor]
    def requestor(topic)
      check
      Requestor.new(self, Checks.topic(topic))
    end

    # Answers a message, to where it says.
    #
    # @param message [ReceivedMessage]
    # @param body [Object] see {Message#initialize}
    # @param options [Hash] see {Message#initialize}
    # @return [Core::SendResult]
    # @raise [ArgumentError] if it names no place for answers
    def reply(message, body = nil, **options)
      raise ArgumentError, 'the message names no place for answers' unless message.reply_to

      options = { correlation_id: message.correlation_id || message.message_id }.merge(options)
      quiet_producer.send(body, topic: Destination.parse(message.reply_to), **options)
    end

    # Looks after one broker.
    #
    # @param server [String, nil] HOST:PORT; the first of the client's servers that answers by default
    # @param timeout [Numeric] for an answer
    # @return [Admin]
    def admin(server = nil, timeout: @request_timeout)
      check
      Admin.new(self, server ? link(Address.parse(server)) : home(Clock.now + timeout), timeout)
    end

    # Ends everything that was made of it. Sends that are under way are waited for as long as they may take.
    #
    # @return [nil]
    def close
      return if @closed

      unless forked?
        @owned.dup.each(&:close)
        @producers.dup.each(&:close)
        @quiet_producer&.close
        @large.close
      end
      @closed = true
      @links.each_value(&:close)
      nil
    end

    # @return [Boolean]
    def closed?
      @closed
    end

    # @api private
    # @return [Boolean] whether this is a child of the process that opened it
    def forked?
      Process.pid != @pid
    end

    # @api private
    # @raise [ForkedError, ClosedError]
    def check
      if forked?
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

      links = @servers.map { |address| link(address) }
      until (found = links.find(&:up?))
        attempt(links, deadline)
      end
      @home = found
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
      links = @servers.map { |address| link(address) }
      links.each { |each| await_first(each, deadline) unless each.up? || each.failing? }
      links.select(&:up?)
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

    # One server after the other, until all are known to refuse this client or the time is over.
    def attempt(links, deadline)
      links.rotate(@turn += 1).first.await(links.one? ? deadline : [deadline, Clock.now + 0.1].min)
    rescue Error
      raise if Clock.now >= deadline || links.all?(&:refused?)

      sleep(0.01)
    end

    # The connections to the servers are made at the same time: the others are a moment behind the first.
    def await_first(link, deadline)
      link.await([deadline, Clock.now + 1].min)
    rescue Error
      nil # it does not answer
    end

    # What the client itself sends.
    def quiet_producer
      @lock.synchronize { @quiet_producer ||= Producer.new(self, nil, **PRODUCER) }
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
      @offsets = Offsets.new(self)
      @steps = Steps.new
      home(Clock.now + @settings.connect_timeout)
    rescue Error
      @links.each_value { |each| each.close(0) }
      @closed = true
      raise
    end
  end
end
