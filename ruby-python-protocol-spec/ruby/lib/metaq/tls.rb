# frozen_string_literal: true

require 'openssl'

module Metaq
  # How brokers are recognised over TLS, and this client by them.
  class Tls
    CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/m.freeze
    private_constant :CERTIFICATE

    # @param ca_file [String, nil] certificates in PEM to trust; those of the system by default
    # @param verify_host [Boolean] whether the certificate must be that of the host
    # @param certificate_file [String, nil] this client's own certificate, in PEM
    # @param key_file [String, nil] its private key, in PEM
    # @param key_password [String, nil] what the key is encrypted with
    # @raise [ArgumentError] if a file cannot be used
    def initialize(ca_file: nil, verify_host: true, certificate_file: nil, key_file: nil, key_password: nil)
      raise ArgumentError, 'certificate_file and key_file need each other' if certificate_file.nil? != key_file.nil?

      @context = OpenSSL::SSL::SSLContext.new
      @context.min_version = OpenSSL::SSL::TLS1_2_VERSION
      @context.verify_mode = OpenSSL::SSL::VERIFY_PEER
      # The host is looked at by {#wrap}, which knows addresses, too.
      @context.verify_hostname = false
      @verify_host = verify_host
      @context.cert_store = store(ca_file)
      own(certificate_file, key_file, key_password) if certificate_file
      @context.freeze
    rescue OpenSSL::OpenSSLError, SystemCallError => e
      raise ArgumentError, "a file for TLS cannot be used: #{e.message}"
    end

    # @param options [nil, false, true, Hash, Tls]
    # @return [Tls, nil]
    def self.of(options)
      case options
      when nil, false then nil
      when true then new
      when Hash then new(**options)
      when Tls then options
      else raise ArgumentError, "tls takes true, a Hash of options or a Metaq::Tls, not #{options.inspect}"
      end
    end

    # @api private
    # @return [OpenSSL::SSL::SSLSocket]
    # @raise [TlsError, TimeoutError, ConnectionError]
    def wrap(socket, host, deadline)
      stream = OpenSSL::SSL::SSLSocket.new(socket, @context)
      stream.sync_close = true
      stream.hostname = host unless host.match?(/\A[\d.]+\z|:/)
      shake(stream, socket, deadline)
      stream.post_connection_check(host) if @verify_host
      stream
    rescue OpenSSL::SSL::SSLError => e
      raise TlsError, "TLS with #{host}: #{e.message}"
    end

    private

    def store(ca_file)
      OpenSSL::X509::Store.new.tap { |store| ca_file ? store.add_file(ca_file) : store.set_default_paths }
    end

    def own(certificate_file, key_file, key_password)
      chain = File.read(certificate_file).scan(CERTIFICATE).map { |pem| OpenSSL::X509::Certificate.new(pem) }
      raise ArgumentError, "there is no certificate in PEM in #{certificate_file}" if chain.empty?

      key = OpenSSL::PKey.read(File.read(key_file), key_password)
      @context.add_certificate(chain.first, key, chain.drop(1))
    end

    def shake(stream, socket, deadline)
      until (result = stream.connect_nonblock(exception: false)).equal?(stream)
        left = deadline - Clock.now
        raise TimeoutError, 'TLS was not agreed on in time' if left <= 0

        result == :wait_writable ? socket.wait_writable(left) : socket.wait_readable(left)
      end
    end
  end
end
