# frozen_string_literal: true

require_relative 'support'

class LargeTest < BrokerTest
  def test_large_payloads_of_all_kinds_both_ways
    client = client()
    queue = unique
    receiver = client.receiver(queue)
    producer = client.producer(queue)
    text = 'grüße ' * 1_700_000
    bytes = Random.new(1).bytes(10_485_760)
    map = { 'a' => bytes.byteslice(0, 9_000_000), 'b' => Metaq::Int.new(1) }
    { text => text, bytes => bytes, map => map.merge('b' => 1) }.each do |body, expected|
      producer.send(body, properties: { color: 'blue' })
      message = receiver.receive(timeout: PATIENCE)
      assert_predicate message, :large?
      assert_operator message.stored.bytesize, :<, 1000
      assert_equal [true, 'blue'], [message.body == expected, message['color']]
      message.ack
    end
  end

  def test_a_threshold_of_the_application_and_topics_and_copies
    client = client()
    topic = unique('made')
    client.producer(topic, large_bytes: 1000).send('x' * 3_000_000)
    message = client.reader(topic).receive(timeout: PATIENCE)
    assert_equal [true, 3_000_000], [message.large?, message.body.size]
    assert_equal 3_000_000, client.browse(topic).first.body.size
    queue = unique
    client.producer(queue).send(message.with(properties: { a: 1 }), topic: client.temporary_queue) # its companion is temporary.large
    receiver = client.receiver(queue)
    client.producer(queue, large_bytes: 1000).send(message)
    copy = receiver.receive(timeout: PATIENCE)
    assert_equal [true, :text, 3_000_000], [copy.large?, copy.kind, copy.body.size]
  end

  def test_temporary_destinations_and_transactions
    client = client()
    queue = client.temporary_queue
    client.producer(queue, large_bytes: 1000).send('x'.b * 2000)
    assert_equal 2000, client.receiver(queue).receive(timeout: PATIENCE).body.bytesize
    out = unique
    client.admin.create_queue(out, partitions: 1)
    client.transaction { |transaction| transaction.send('y'.b * 10_000_000, topic: out) }
    assert_equal 10_000_000, client.receiver(out).receive(timeout: PATIENCE).body.bytesize
  end

  def test_a_message_longer_than_one_reply_of_the_broker
    client = client()
    topic = unique('made')
    client.admin.create_topic(topic, partitions: 1)
    client.producer(topic).send_batch([+'a' * 3_000_000, 'b', +'c' * 2_000_000])
    assert_equal [3_000_000, 1, 2_000_000], take(client.reader(topic), 3).map { |message| message.body.size }
    queue = unique
    receiver = client.receiver(queue)
    client.producer(queue).send(+'a' * 5_000_000)
    assert_equal [5_000_000, false], receiver.receive(timeout: PATIENCE).then { |message| [message.body.size, message.large?] }
  end

  def test_what_names_no_companion_is_not_fetched
    client = client()
    topic = unique('made')
    client.producer(topic).send('secret')
    headers = { large_topic: topic, large_partition: 0, large_offset: 0, large_length: 6 }
    source = client.browse(topic).first.instance_variable_get(:@source)
    body, flag = Metaq::Message.new('x').encode(0, payload: [0].pack('q>'), large: headers)
    assert_raises(Metaq::DamagedMessageError) { Metaq::ReceivedMessage.new(body, flag, 1, source, 0, 0).body }
  end
end
