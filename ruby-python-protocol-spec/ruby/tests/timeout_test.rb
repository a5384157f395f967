# frozen_string_literal: true

require_relative 'support'
require_relative 'scripted_broker'

# No call hangs, whatever the broker does not do.
class TimeoutTest < BrokerTest
  def teardown
    super
    @broker&.stop
  end

  def test_nobody_listens
    # A port that somebody holds and does not listen at.
    held = Socket.new(:INET, :STREAM)
    held.bind(Addrinfo.tcp('127.0.0.1', 0))
    error = assert_raises(Metaq::TimeoutError) { Metaq::Client.new("127.0.0.1:#{held.local_address.ip_port}", connect_timeout: 1) }
    assert_match(/refused/i, error.message)
    refute_predicate error, :outcome_unknown?
  ensure
    held.close
  end

  def test_a_broker_that_says_nothing
    @broker = ScriptedBroker.new { |*| nil }
    assert_raises(Metaq::TimeoutError) { client(@broker, connect_timeout: 0.3) }
  end

  def test_requests_without_answers
    @broker = ScriptedBroker.new { |request, *| request.name == :version || request.arguments.first == 'routes' ? :usual : nil }
    client = client(@broker, request_timeout: 0.3)
    unknown = [-> { client.admin.topics }, -> { client.receiver('q') }, -> { client.producer('t', timeout: 0.3).send('x') },
               -> { client.transaction { |transaction| transaction.send('x', topic: 't') } }, -> { client.temporary_queue },
               -> { client.branch(global: 'g', branch: 'b').commit }, -> { client.browse('t').first }, -> { client.reader('t') },
               -> { client.producer('t', timeout: 0.3).send_async('x').value(0.2) }]
    unknown.each_with_index do |call, index|
      error = assert_raises(Metaq::TimeoutError, index.to_s, &call)
      assert_predicate error, :outcome_unknown?, index
    end
    producer = client.producer('t', buffer_bytes: 100, timeout: 0.3)
    producer.send_async('x' * 90)
    assert_raises(Metaq::TimeoutError) { producer.flush(0.1) }
  end

  def test_a_broker_that_does_not_read
    server = TCPServer.new('127.0.0.1', 0)
    thread = Thread.new do
      socket = server.accept
      line = socket.gets("\r\n")
      socket.write("result 200 #{ScriptedBroker::INFO.bytesize} #{line.split[1]}\r\n#{ScriptedBroker::INFO}")
      line = socket.gets("\r\n")
      text = "broker 7 127.0.0.1:#{server.addr[1]} partitions 1 publish true subscribe true\r\n"
      socket.write("result 200 #{text.bytesize} #{line.split[3]}\r\n#{text}")
      sleep
    end
    client = Metaq::Client.new("127.0.0.1:#{server.addr[1]}")
    producer = client.producer('t', timeout: 0.5, batch_bytes: 1 << 20, buffer_bytes: 1 << 24)
    futures = Array.new(40) { producer.send_async("\0".b * 400_000) }
    errors = futures.map(&:error)
    assert(errors.all? { |error| error.is_a?(Metaq::TimeoutError) })
    assert_predicate errors.first, :outcome_unknown?
    client.close
  ensure
    thread&.kill
    server&.close
  end

  def test_what_is_no_answer_ends_the_connection
    @broker = ScriptedBroker.new { |request, peer, _| request.arguments.first == 'delete' ? peer.write("nonsense\r\n") : :usual }
    error = assert_raises(Metaq::ConnectionError) { client(@broker).admin.delete_topic('t') }
    assert_match(/no frame/, error.message)
  end

  def test_nothing_is_left_behind_a_close
    before = [Thread.list, sockets]
    5.times do
      Metaq::Client.open(TestBroker.shared.address, connect_timeout: PATIENCE) do |client|
        queue = unique
        receiver = client.receiver(queue)
        client.producer(queue).send('x')
        receiver.receive(timeout: PATIENCE).ack
        topic = unique('made')
        client.producer(topic).send('x')
        client.reader(topic).receive(timeout: PATIENCE)
        client.group_consumer(unique('g'), topic).receive(timeout: PATIENCE)
        client.temporary_queue
      end
    end
    assert_empty Thread.list - before[0]
    assert_operator sockets, :<=, before[1]
  end

  def test_nothing_is_left_where_no_connection_came_about
    before = [Thread.list, sockets]
    @broker = ScriptedBroker.new { |*| nil }
    assert_raises(Metaq::TimeoutError) { Metaq::Client.new(@broker.address, connect_timeout: 0.2) }
    assert_empty (Thread.list - before[0]).select { |thread| thread.name.to_s.start_with?('metaq') }
  end

  def test_a_closed_client_says_so
    client = client()
    producer = client.producer('test')
    receiver = client.receiver(unique)
    client.close
    client.close
    [-> { client.admin }, -> { client.producer }, -> { producer.send('x') }, -> { receiver.receive }, -> { client.reader('test') }]
      .each { |call| assert_raises(Metaq::ClosedError, &call) }
  end

  private

  def sockets
    GC.start
    ObjectSpace.each_object(IO).reject(&:closed?).size
  end
end
