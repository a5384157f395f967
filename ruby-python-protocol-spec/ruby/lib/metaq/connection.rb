# frozen_string_literal: true

require 'io/wait'
require 'socket'

module Metaq
  # A socket, with or without TLS, that never blocks but where it is told how long it may.
  #
  # @api private
  class Connection
    CHUNK = 262_144

    # @param address [Address]
    # @param tls [Tls, nil]
    # @param deadline [::Float]
    # @raise [ConnectionError, TlsError, TimeoutError]
    def self.open(address, tls, deadline)
      socket = Socket.tcp(address.host, address.port, connect_timeout: [deadline - Clock.now, 0.001].max)
      socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
      connection = new(tls ? tls.wrap(socket, address.host, deadline) : socket, socket)
      opened = true
      connection
    rescue Errno::ETIMEDOUT
      raise TimeoutError, "no connection to #{address} in time"
    rescue SystemCallError, SocketError, IOError => e
      raise ConnectionError, "no connection to #{address}: #{e.message}"
    ensure
      socket.close if socket && !opened
    end

    def initialize(stream, socket)
      @stream = stream
      @socket = socket
      @tls = !stream.equal?(socket)
      # The library of TLS must not be read and written by two threads at once.
      @lock = Mutex.new
      @chunk = String.new(capacity: CHUNK, encoding: Encoding::ASCII_8BIT)
      @write_needs_read = false
    end

    # @return [IO] to wait on
    attr_reader :socket

    # @return [String, nil] what is there, good until the next call; nil if there is nothing
    # @raise [EOFError] at the end
    def read
      got = guarded { @stream.read_nonblock(CHUNK, @chunk, exception: false) }
      raise EOFError, 'the broker closed the connection' if got.nil?

      got.is_a?(Symbol) ? nil : got
    end

    # @return [Integer] bytes taken
    def write(bytes)
      taken = guarded { @stream.write_nonblock(bytes, exception: false) }
      @write_needs_read = taken == :wait_readable
      taken.is_a?(Symbol) ? 0 : taken
    end

    # @return [Boolean] whether there are bytes that no waiting on the socket would show
    def pending?
      @tls && @stream.pending.positive?
    end

    # Waits until something can be done.
    #
    # @param writing [Boolean] whether there is something to write
    # @param seconds [Numeric]
    # @param others [Array<IO>] to wait on, too
    # @return [Array<IO>] what can be read
    def wait(writing, seconds, others = [])
      return [@socket] if pending?

      ready = IO.select([@socket, *others], writing && !@write_needs_read ? [@socket] : nil, nil, seconds)
      ready ? ready[0] : []
    end

    def close
      @stream.close unless @stream.closed?
      @socket.close unless @socket.closed?
    rescue SystemCallError, IOError, OpenSSLFailure
      @socket.close unless @socket.closed?
    end

    # Closes this process' own copy, and tells the broker nothing: the connection is the parent's.
    def abandon
      @socket.close unless @socket.closed?
    end

    # Stands for OpenSSL::SSL::SSLError while nobody needs that library.
    module OpenSSLFailure
      def self.===(error)
        defined?(OpenSSL::SSL::SSLError) && error.is_a?(OpenSSL::SSL::SSLError)
      end
    end

    private

    def guarded(&block)
      @tls ? @lock.synchronize(&block) : yield
    rescue OpenSSLFailure => e
      raise IOError, e.message
    end
  end
end
