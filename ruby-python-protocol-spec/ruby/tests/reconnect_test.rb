# frozen_string_literal: true

require_relative 'support'
require_relative 'scripted_broker'

# Lost connections, by a broker that is told when to lose them.
class ReconnectTest < BrokerTest
  def teardown
    super
    @broker&.stop
  end

  def test_batches_that_were_not_answered_are_sent_again_with_their_numbers_in_their_order
    lose = true
    stored = []
    open_broker do |request, peer, opaque|
      next :usual unless request.name == :append

      if lose
        if request.options[:seq].to_i > 0
          lose = false
          peer.close
        end
      else
        stored << [request.options[:seq].to_i, request.arguments[2]]
        peer.result(opaque, 200, "#{stored.size} 0 0")
      end
    end
    producer = @client.producer('t', batch_bytes: 1000)
    futures = Array.new(40) { |i| producer.send_async(i.to_s * 100) }
    futures.each(&:value)
    assert_equal stored.map(&:first).sort, stored.map(&:first)
    assert_equal 0, stored.first.first
    assert_equal 40, stored.sum(&:last)
  end

  def test_a_request_whose_answer_is_lost_is_unknown_or_repeated
    asked = 0
    open_broker do |request, peer, opaque|
      case request.arguments.first
      when 'delete' then peer.close
      when 'list' then (asked += 1) == 1 ? peer.close : peer.result(opaque, 200, 't 1')
      else :usual
      end
    end
    assert_equal({ 't' => 1 }, @client.admin.topics)
    assert_equal 2, asked
    error = assert_raises(Metaq::ConnectionError) { @client.admin.delete_topic('t') }
    assert_equal [true, true], [error.retriable?, error.outcome_unknown?]
  end

  def test_receivers_attach_again_acknowledge_first_and_drop_what_was_not_looked_at
    script = Queue.new
    open_broker do |request, peer, opaque|
      case request.name
      when :attach
        script << [:attach, request.arguments.first]
        peer.result(opaque)
      when :credit
        script << [:credit, request.arguments[1]]
        peer.write("message #{request.arguments.first} 0 0 2 1 42\r\n".b << messages('a', 'b')) if script.size < 3
      when :ack
        script << [:ack, request.arguments[1].to_s]
        script.size < 5 ? peer.close : peer.result(opaque, 200, 'acknowledged 1 missed 0')
      else :usual
      end
    end
    receiver = @client.receiver('q')
    message = receiver.receive(timeout: PATIENCE)
    message.ack(wait: false)
    receiver.flush(timeout: PATIENCE)
    assert_nil receiver.receive(timeout: 0.1)
    await('credit') { script.size >= 6 }
    events = Array.new(script.size) { script.pop }
    consumer = events.first.last
    assert_equal [[:attach, consumer], [:credit, 100], [:ack, '0:0-21'], [:attach, consumer], [:ack, '0:0-21'], [:credit, 100]], events.first(6)
  end

  def test_a_lost_connection_has_given_back_what_is_rejected
    open_broker do |request, peer, opaque|
      case request.name
      when :attach then peer.result(opaque)
      when :credit then peer.write("message #{request.arguments.first} 0 0 1 1 21\r\n".b << messages('a')) if request.arguments[1] == 100
      when :reject then peer.close
      else :usual
      end
    end
    receiver = @client.receiver('q')
    message = receiver.receive(timeout: PATIENCE)
    message.reject
    again = receiver.receive(timeout: PATIENCE)
    assert_equal message.offset, again.offset
  end

  def test_a_commit_is_sent_again_with_its_number
    seen = []
    open_broker do |request, peer, opaque|
      next :usual unless request.name == :transact

      seen << request.options
      seen.size == 1 ? peer.close : peer.result(opaque)
    end
    @client.transaction { |transaction| transaction.send('x', topic: 't') }
    @client.transaction { |transaction| transaction.send('y', topic: 't') }
    assert_equal [seen[0], seen[0]], seen.first(2)
    assert_equal seen[0][:seq].to_i + 1, seen[2][:seq].to_i
  end

  def test_a_broker_that_still_has_the_old_connection_is_asked_again
    claims = 0
    open_broker(client_id: 'me') do |request, peer, opaque|
      next :usual unless request.name == :client

      claims += 1
      peer.result(opaque, claims == 2 ? 409 : 200, '')
    end
    @broker.cut
    await('a new connection') { claims == 3 }
    assert @client.home(Metaq::Clock.now + PATIENCE)
  end

  def test_a_busy_broker_is_tried_again_and_order_is_kept
    busy = 3
    stored = []
    open_broker do |request, peer, opaque|
      next :usual unless request.name == :append
      next peer.result(opaque, 503, 'busy') if (busy -= 1) >= 0

      stored << request.arguments[3].byteslice(20, 3)
      peer.result(opaque, 200, '1 0 0')
    end
    producer = @client.producer('t', batch_bytes: 200, ordered: true)
    Array.new(6) { |i| producer.send_async("#{i} #{'x' * 100}".b) }.each(&:value)
    assert_equal Array.new(6) { |i| i }, stored.map { |bytes| bytes[/\d/].to_i }
  end

  def test_the_broker_of_1_4_gets_messages_one_by_one
    puts = []
    open_broker(info: '0.1') do |request, peer, opaque|
      case request.name
      when :put
        puts << [request.arguments[0], request.options[:flag], request.arguments[2]]
        peer.result(opaque, 200, "#{puts.size} 1 #{puts.size * 30}")
      when :stats then peer.result(opaque, 200, "STATS\r\nt partitions 2 message_count 0\r\nEND\r\n")
      else :usual
      end
    end
    results = @client.producer('t').send_batch(['a'.b, 'b'.b], partition: 1)
    assert_equal [1, 2], results.map(&:id)
    assert_equal [['t', 0, 'a'], ['t', 0, 'b']], puts
  end

  def test_all_brokers_of_a_topic_are_used_and_one_that_died_is_left
    brokers = [9, 7].map do |id|
      stored = []
      broker = ScriptedBroker.new(info: ScriptedBroker::INFO.sub('broker_id 7', "broker_id #{id}")) do |request, peer, opaque|
        case request.name
        when :append then peer.result(opaque, 200, "#{stored.push(1).size} #{request.arguments[1]} 0")
        when :topic then peer.result(opaque, 200, "broker #{id} 198.51.100.1:8123 partitions 1 publish true subscribe true\r\n")
        else :usual
        end
      end
      [broker, stored]
    end
    client = Metaq::Client.new(*brokers.map { |broker, _| broker.address }, request_timeout: 5).tap { |made| @clients << made }
    producer = client.producer('t')
    assert_equal [7, 9], Array.new(10) { producer.send('x').broker_id }.uniq.sort
    assert_equal [9, 7].map { |id| Zlib.crc32('k') % 2 == (id == 9 ? 1 : 0) }, brokers.map { |_, stored| stored.clear && producer.send('x', key: 'k') && !stored.empty? }
    brokers[0][0].stop
    await('the loss') { client.admin(brokers[1][0].address).server && !client.link(Metaq::Address.parse(brokers[0][0].address)).up? }
    client.routes.forget('t')
    assert_equal [7], Array.new(5) { producer.send('x').broker_id }.uniq
  ensure
    brokers.each { |broker, _| broker.stop }
  end

  def test_temporary_queues_are_made_again_before_what_is_attached_to_them
    made = Queue.new
    open_broker(client_id: 'me') do |request, peer, opaque|
      made << [request.name, *request.arguments.grep(/\A(create|temp:|queue:)/)] if %i[client topic attach].include?(request.name)
      next :usual unless request.name == :attach || request.name == :client || request.arguments.first == 'create'

      peer.result(opaque)
    end
    queue = @client.temporary_queue
    receiver = @client.receiver(queue)
    made.clear
    @broker.cut
    await('all of it') { made.size >= 3 }
    assert_equal [[:client], [:topic, 'create', queue.name], [:attach, "queue:#{queue.name}"]], Array.new(3) { made.pop }
    receiver.close
  end

  def test_a_server_that_refuses_is_passed_over
    refusing = ScriptedBroker.new { |request, peer, opaque| request.name == :client ? peer.result(opaque, 409, 'taken') : :usual }
    open_broker { |request, peer, opaque| request.name == :client ? peer.result(opaque) : :usual }
    client = Metaq::Client.new(refusing.address, @broker.address, client_id: 'me').tap { |made| @clients << made }
    assert_equal @broker.address, client.home(Metaq::Clock.now + PATIENCE).address.to_s
    assert_raises(Metaq::ConflictError) { Metaq::Client.new(refusing.address, client_id: 'me', connect_timeout: PATIENCE) }
  ensure
    refusing&.stop
  end

  def test_a_callback_must_not_wait
    registered = Queue.new
    open_broker { |request, peer, opaque| request.name == :append ? registered.pop && peer.result(opaque, 200, '1 0 0') : :usual }
    producer = @client.producer('t')
    failures = Queue.new
    producer.send_async('x').on_done do
      [-> { producer.send('y') }, -> { @client.admin.topics }].each do |call|
        call.call
        failures << nil
      rescue Metaq::Error => e
        failures << e.message
      end
    end
    # One for the message that the callback sent before it had to wait.
    2.times { registered << true }
    2.times { assert_match(/must not wait/, failures.pop) }
  end

  def test_a_callback_that_raises_harms_nobody
    open_broker { |request, peer, opaque| request.name == :append ? peer.result(opaque, 200, '1 0 0') : :usual }
    producer = @client.producer('t')
    _, err = capture_io do
      producer.send_async('x').on_done { raise 'no' }.value
      assert producer.send('y')
      await('the callback') { $stderr.string.include?('no (RuntimeError)') || $stderr.string.include?('RuntimeError') }
    end
    assert_match(/outcome failed/, err)
  end

  def test_a_silent_broker_is_given_up
    silent = false
    open_broker(heartbeat: 0.5) { |_request, _peer, _opaque| silent ? nil : :usual }
    silent = true
    error = assert_raises(Metaq::ConnectionError) { @client.admin(timeout: PATIENCE).delete_topic('t') }
    assert_match(/heartbeat/, error.message)
  end

  private

  def open_broker(info: ScriptedBroker::INFO, **options, &script)
    @broker = ScriptedBroker.new(info: info, &script)
    @client = client(@broker, **options)
  end

  def messages(*bodies)
    bodies.each_with_object(''.b) { |body, bytes| Metaq::Protocol::Storage.append(bytes, body.b, 0) }
  end
end
