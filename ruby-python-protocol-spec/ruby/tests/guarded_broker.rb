# frozen_string_literal: true

require 'openssl'
require 'securerandom'
require_relative 'broker'

# A broker with TLS and logins, by certificates that are made here.
class GuardedBroker < TestBroker
  USER = 'anna'
  PASSWORD = 'my pass%word'
  LOGIN = { user: USER, password: PASSWORD }.freeze

  def initialize
    @files = Dir.mktmpdir('metaq-ruby-tls-')
    write_certificates
    File.write(file('users.ini'), "[system]\nusersFile=#{file('users')}\n")
    add_user
    super(<<~INI, port: free_port)
      [system]
      brokerId=7
      unflushThreshold=1
      allowAnonymous=false
      usersFile=#{file('users')}
      tlsPort=0
      tlsKeyStore=#{file('broker.p12')}
      tlsKeyStorePassword=secret
      tlsTrustStore=#{file('trust.p12')}
      tlsTrustStorePassword=secret
      tlsClientAuth=want
      [topic=made.*]
    INI
  end

  def file(name)
    File.join(@files, name)
  end

  def stop
    super
    FileUtils.rm_rf(@files)
  end

  private

  # Below those that the system gives away, so that it is still free when the broker is started again.
  def free_port
    port = 10_000 + SecureRandom.random_number(20_000)
    TCPServer.new('127.0.0.1', port).close
    port
  rescue Errno::EADDRINUSE
    retry
  end

  def add_user
    out, status = Open3.capture2e(COMMAND, 'user', 'add', USER, '-f', file('users.ini'), stdin_data: "#{PASSWORD}\n")
    raise "no user was added:\n#{out}" unless status.success?
  end

  def write_certificates
    @ca_key, @ca = certificate('ca')
    key, own = certificate('broker', 'DNS:localhost,IP:127.0.0.1')
    client_key, client = certificate('client', 'DNS:client')
    store('broker.p12', key, own, [@ca])
    # Java trusts what is in a store with its key.
    store('trust.p12', @ca_key, @ca, [])
    File.write(file('ca.pem'), @ca.to_pem)
    File.write(file('client.pem'), client.to_pem)
    File.write(file('client.key'), client_key.to_pem)
  end

  def store(name, key, own, chain)
    File.binwrite(file(name), OpenSSL::PKCS12.create('secret', name, key, own, chain).to_der)
  end

  # Signed by the authority, or by itself while there is none.
  def certificate(name, alternatives = nil)
    key = OpenSSL::PKey::RSA.new(2048)
    made = OpenSSL::X509::Certificate.new
    made.version = 2
    made.serial = SecureRandom.random_number(1 << 60)
    made.subject = OpenSSL::X509::Name.parse("/CN=#{name}")
    made.issuer = @ca ? @ca.subject : made.subject
    made.public_key = key.public_key
    made.not_before = Time.now - 60
    made.not_after = Time.now + 3600
    extensions = OpenSSL::X509::ExtensionFactory.new(@ca || made, made)
    made.add_extension(extensions.create_extension('basicConstraints', @ca ? 'CA:FALSE' : 'CA:TRUE', true))
    made.add_extension(extensions.create_extension('subjectAltName', alternatives)) if alternatives
    made.sign(@ca_key || key, OpenSSL::Digest.new('SHA256'))
    [key, made]
  end
end
