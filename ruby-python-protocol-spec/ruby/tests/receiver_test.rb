# frozen_string_literal: true

require_relative 'support'

class ReceiverTest < BrokerTest
  def setup
    super
    @client = client
    @queue = unique
    @client.admin.create_queue(@queue, partitions: 1, deadLetterQueue: "#{@queue}.dead", maxDeliveries: 3)
    @producer = @client.producer(@queue)
  end

  def test_what_was_sent_is_received_and_acknowledged_once
    receiver = @client.receiver(@queue)
    @producer.send('grüße', properties: { 'color' => 'blue' }, priority: 7)
    message = receiver.receive
    assert_equal ['grüße', 'blue', 7, 1, false],
                 [message.body, message['color'], message.priority, message.delivery_count, message.redelivered?]
    message.ack
    assert_raises(Metaq::MissedError) { receiver.ack(message) }
    assert_nil receiver.receive(timeout: 0)
  end

  def test_what_was_rejected_comes_again_counted_and_at_last_is_dead
    @producer.send('hard')
    receiver = @client.receiver(@queue)
    counts = Array.new(3) { receiver.receive(timeout: PATIENCE).tap(&:reject).delivery_count }
    assert_equal [1, 2, 3], counts
    dead = @client.receiver("#{@queue}.dead").receive(timeout: PATIENCE)
    assert_equal 'hard', dead.body
    dead.ack
  end

  def test_dead_letters_at_once_and_back
    @producer.send('hard')
    receiver = @client.receiver(@queue)
    receiver.receive(timeout: PATIENCE).reject(dead: true)
    await('the dead letter') { @client.browse_queue("#{@queue}.dead").first rescue nil }
    assert_equal 1, @client.admin.redrive("#{@queue}.dead")
    assert_equal ['hard', 1], receiver.receive(timeout: PATIENCE).then { |message| [message.body, message.delivery_count] }
  end

  def test_a_rejected_message_waits
    @producer.send('later')
    receiver = @client.receiver(@queue)
    message = receiver.receive(timeout: PATIENCE)
    started = Metaq::Clock.now
    message.reject(delay: 0.5)
    assert_equal 2, receiver.receive(timeout: PATIENCE).delivery_count
    assert_operator Metaq::Clock.now - started, :>=, 0.5
  end

  def test_what_was_released_comes_again_uncounted
    @producer.send('untouched')
    receiver = @client.receiver(@queue)
    receiver.receive(timeout: PATIENCE).release
    assert_equal 1, receiver.receive(timeout: PATIENCE).delivery_count
  end

  def test_closing_gives_back_what_was_not_settled
    @producer.send_batch(%w[seen unseen])
    @client.receiver(@queue) { |receiver| assert_equal 'seen', receiver.receive(timeout: PATIENCE).body }
    receiver = @client.receiver(@queue)
    messages = Array.new(2) { receiver.receive(timeout: PATIENCE) }
    assert_equal [['seen', 2], ['unseen', 1]], messages.map { |message| [message.body, message.delivery_count] }
  end

  def test_each_acknowledges_or_rejects
    @producer.send_batch(%w[a b c])
    receiver = @client.receiver(@queue)
    assert_raises(RuntimeError) { receiver.each { |message| raise 'no' if message.body == 'b' } }
    receiver.flush
    assert_equal %w[b c], @client.browse_queue(@queue).map(&:body)
    assert_equal [['b', 2], ['c', 1]], receiver.each.first(2).map { |message| [message.body, message.delivery_count] }.sort
    receiver.flush
    assert_empty @client.browse_queue(@queue).to_a
    assert_equal 0, receiver.missed_count
    @producer.send('d')
    killed = Thread.new { receiver.each { sleep } }
    await('the message to be looked at') { killed.stop? && receiver.receive(timeout: 0).nil? }
    killed.kill.join
    receiver.close
    assert_equal ['d'], @client.browse_queue(@queue).map(&:body)
  end

  def test_acknowledges_many_without_waiting
    @producer.send_batch((0...2000).map(&:to_s))
    receiver = @client.receiver(@queue, prefetch: 500)
    2000.times { |i| assert_equal i.to_s, receiver.receive(timeout: PATIENCE).tap { |message| message.ack(wait: false) }.body }
    receiver.flush
    assert_equal 0, @client.admin.subscriptions("queue:#{@queue}").first['depth']
  end

  def test_receives_without_prefetching
    receiver = @client.receiver(@queue, prefetch: 0)
    other = client.receiver(@queue, prefetch: 0)
    assert_nil receiver.receive(timeout: 0)
    assert_nil receiver.receive(timeout: 0.1)
    @producer.send_batch(%w[a b])
    assert_equal %w[a b], [receiver.receive(timeout: PATIENCE), other.receive(timeout: PATIENCE)].each(&:ack).map(&:body)
  end

  def test_a_receive_that_does_not_wait_finds_what_is_there
    receiver = @client.receiver(@queue)
    20.times do |i|
      @producer.send(i.to_s)
      assert_equal i.to_s, receiver.receive(timeout: 0)&.body
    end
  end

  def test_several_receivers_share_a_queue
    receivers = Array.new(3) { client.receiver(@queue, prefetch: 5) }
    @producer.send_batch((0...60).map(&:to_s))
    seen = Queue.new
    threads = receivers.map { |receiver| Thread.new { receiver.each { |message| seen << message.body } } }
    await('all') { seen.size >= 60 }
    receivers.each(&:close)
    threads.each { |thread| assert thread.join(PATIENCE) }
    assert_equal (0...60).map(&:to_s).sort, Array.new(seen.size) { seen.pop }.sort
  end

  def test_selectors
    @producer.send('small', properties: { size: 1 })
    @producer.send('large', properties: { size: 100 }, type: 'box')
    assert_equal 'large', @client.receiver(@queue, selector: "size > 10 AND JMSType = 'box'").receive(timeout: PATIENCE).tap(&:ack).body
    assert_equal 'small', @client.browse_queue(@queue, selector: 'size = 1').first.body
    assert_raises(Metaq::BadRequestError) { @client.receiver(@queue, selector: "size > 'a") }
  end

  def test_priorities_delays_and_expiry
    @producer.send('expired', time_to_live: 0.001)
    @producer.send('low', priority: 1)
    @producer.send('high', priority: 9)
    @producer.send('delayed', delay: 0.7, priority: 0)
    sleep 0.05
    receiver = @client.receiver(@queue)
    bodies = Array.new(3) { receiver.receive(timeout: PATIENCE).tap(&:ack) }
    assert_equal %w[high low delayed], bodies.map(&:body)
    assert_operator (Time.now.to_f * 1000), :>=, bodies.last.delivery_time
    assert_nil receiver.receive(timeout: 0)
  end

  def test_messages_of_a_group_go_to_one_receiver_in_order
    receivers = Array.new(2) { client.receiver(@queue, prefetch: 1) }
    10.times { |i| @producer.send(i.to_s, group_id: 'g', group_seq: i + 1) }
    seen = []
    await('all of the group') do
      receivers.each_with_index { |receiver, who| receiver.receive(timeout: 0)&.then { |m| m.ack && nil || seen << [who, m.body, m.group_seq] } }
      seen.size == 10
    end
    assert_equal 1, seen.map(&:first).uniq.size
    assert_equal (0...10).map { |i| [i.to_s, i + 1] }, seen.map { |_, body, seq| [body, seq] }
  end

  def test_a_receiver_is_told_that_its_queue_is_deleted
    receiver = @client.receiver(@queue)
    @client.admin.delete_topic(@queue)
    assert_raises(Metaq::DetachedError) { receiver.receive(timeout: PATIENCE) }
  end

  def test_what_belongs_to_others_is_refused
    topic = unique('made')
    @client.admin.create_topic(topic)
    assert_raises(Metaq::ConflictError) { @client.receiver(topic) }
    @producer.send('x')
    message = @client.browse_queue(@queue).first
    assert_raises(ArgumentError) { @client.receiver(@queue).ack(message) }
    assert_raises(ArgumentError) { @client.browse(@queue).first.ack }
  end
end
