# frozen_string_literal: true

require_relative 'support'
require_relative 'guarded_broker'

# TLS and logins.
class TlsTest < BrokerTest
  def setup
    super
    @broker = TestBroker.guarded
  end

  def test_tls_and_logins
    address = "localhost:#{@broker.tls_port}"
    login = GuardedBroker::LOGIN.merge(connect_timeout: PATIENCE)
    trusted = { ca_file: @broker.file('ca.pem') }
    work("127.0.0.1:#{@broker.tls_port}", tls: trusted, **login)
    work(address, tls: trusted.merge(certificate_file: @broker.file('client.pem'), key_file: @broker.file('client.key')), **login)
    assert_raises(Metaq::TlsError) { Metaq::Client.new(address, tls: true, **login) }
    through_another_address do |other|
      assert_raises(Metaq::TlsError) { Metaq::Client.new(other, tls: trusted, **login) }
      work(other, tls: trusted.merge(verify_host: false), **login)
    end
    assert_raises(Metaq::UnauthorizedError) { Metaq::Client.new(address, tls: trusted, **login, password: 'wrong') }
    assert_raises(Metaq::UnauthorizedError) { Metaq::Client.new(address, tls: trusted, connect_timeout: PATIENCE) }
    assert_raises(Metaq::Error) { Metaq::Client.new(@broker.address, tls: trusted, connect_timeout: 1) }
    assert_raises(Metaq::Error) { Metaq::Client.new(address, **login, connect_timeout: 1) }
  end

  private

  def work(address, **options)
    Metaq::Client.open(address, **options) do |client|
      topic = unique('made')
      bodies = Array.new(300) { |i| "#{i} #{'x' * 5000}" }
      client.producer(topic).send_batch(bodies)
      assert_equal bodies, take(client.reader(topic), 300).map(&:body)
      large = Random.new(1).bytes(3_000_000)
      client.producer(topic, large_bytes: 4_000_000).send(large)
      assert_equal large, client.reader(topic).each.lazy.map(&:body).find { |body| body.bytesize == large.bytesize }
      queue = unique
      client.producer(queue).send('hello', topic: queue) if client.receiver(queue).close.nil?
      assert_equal 'hello', client.receiver(queue).receive(timeout: PATIENCE).tap(&:ack).body
    end
  end

  # By an address that the certificate does not name.
  def through_another_address
    server = TCPServer.new('127.0.0.2', 0)
    thread = Thread.new { loop { relay(server.accept) } }
    yield "127.0.0.2:#{server.addr[1]}"
  ensure
    thread&.kill
    server&.close
  end

  def relay(from)
    to = Socket.tcp('127.0.0.1', @broker.tls_port)
    [[from, to], [to, from]].each do |a, b|
      Thread.new do
        loop { b.write(a.readpartial(65_536)) }
      rescue SystemCallError, IOError
        [a, b].each { |socket| socket.close unless socket.closed? }
      end
    end
  end
end
