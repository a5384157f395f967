# frozen_string_literal: true

module Metaq
  # Where a broker listens.
  Address = Struct.new(:host, :port) do
    # @param text [String, Address] HOST, HOST:PORT or [IPV6]:PORT
    # @param default_port [Integer]
    # @return [Address]
    # @raise [ArgumentError]
    def self.parse(text, default_port = 8123)
      return text if text.is_a?(Address)

      match = /\A(?:\[([^\]]+)\]|([^:\s\[\]]+))(?::(\d{1,5}))?\z/.match(text.to_s)
      port = match && match[3] ? match[3].to_i : default_port
      raise ArgumentError, "a server is HOST, HOST:PORT or [IPV6]:PORT, not #{text.inspect}" unless match && port.between?(1, 65_535)

      new((match[1] || match[2]).freeze, port).freeze
    end

    def to_s
      host.include?(':') ? "[#{host}]:#{port}" : "#{host}:#{port}"
    end
  end
end
