# frozen_string_literal: true

module Metaq
  # A queue or topic as messages name it: {Message#reply_to}, {Message#destination}. Taken wherever a name is.
  class Destination
    # @return [Symbol] :queue, :topic, :temporary_queue or :temporary_topic
    attr_reader :kind
    # @return [String]
    attr_reader :name

    SCHEMES = { queue: 'queue', topic: 'topic', temporary_queue: 'temp-queue', temporary_topic: 'temp-topic' }.freeze

    # @param text [String] such as queue://orders
    # @return [Destination]
    # @raise [ArgumentError]
    def self.parse(text)
      match = %r{\A(queue|topic|temp-queue|temp-topic)://(.+)\z}m.match(text.to_s)
      raise ArgumentError, "no destination: #{text.inspect}" unless match

      new(SCHEMES.key(match[1]), match[2])
    end

    def initialize(kind, name)
      @kind = Checks.one_of(kind, 'kind', SCHEMES.keys)
      @name = Checks.topic(name, 'name')
    end

    # @return [String] such as queue://orders
    def to_destination
      "#{SCHEMES[@kind]}://#{@name}"
    end
    alias to_s to_destination

    # @api private
    def ==(other)
      other.is_a?(Destination) && other.to_s == to_s
    end
    alias eql? ==

    # @api private
    def hash
      to_s.hash
    end
  end

  # A queue or topic in the broker's memory, which this client alone may receive from, and which is gone with its connection. After a lost
  # connection there is a new one of the same name; messages that were in it are lost.
  class TemporaryDestination < Destination
    # @api private
    def initialize(client, link, kind)
      super(kind, "temp:#{SecureRandom.uuid}")
      @client = client
      @link = link
    end

    # @api private
    attr_reader :link

    # @api private
    def create(timeout)
      @link.call("make #{self}", timeout: timeout, repeat: true, keep: self) { |opaque| request(opaque) }
      self
    end

    # @api private
    def restore(handshake)
      handshake.ask("make #{self}", patient: true) { |opaque| request(opaque) }
    end

    # @api private
    def restored(_link)
      nil
    end

    # Ends it, with what is in it.
    #
    # @return [nil]
    def delete
      @link.forget(self)
      @client.admin.delete_topic(name)
    end

    private

    def request(opaque)
      Protocol::Request.topic('create', name, opaque, kind: kind.to_s.tr('_', '-'))
    end
  end
end
