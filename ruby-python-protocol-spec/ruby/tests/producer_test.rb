# frozen_string_literal: true

require_relative 'support'

class ProducerTest < BrokerTest
  def setup
    super
    @client = client
    @topic = unique('made')
    @client.admin.create_topic(@topic, partitions: 3)
  end

  def test_a_send_tells_where_the_message_is
    result = @client.producer(@topic).send('hello', partition: 1)
    assert_equal [@topic, 1, 0, 7], [result.topic, result.partition, result.offset, result.broker_id]
    message = @client.browse(@topic).first
    assert_equal [result.id, 1, 0, 'hello'], [message.id, message.partition, message.offset, message.body]
    assert_equal result.message_id, message.message_id
  end

  def test_a_batch_keeps_its_order
    results = @client.producer(@topic).send_batch((0...500).map(&:to_s), partition: 2)
    assert_equal results.map(&:offset).sort, results.map(&:offset)
    assert_equal (0...500).map(&:to_s), @client.browse(@topic, partitions: 2).map(&:body)
    assert_equal results.map(&:id), @client.browse(@topic, partitions: 2).map(&:id)
    assert_equal results.map(&:offset), @client.browse(@topic, partitions: 2).map(&:offset)
  end

  def test_futures_have_their_outcomes
    producer = @client.producer(@topic)
    called = Queue.new
    futures = Array.new(200) { |i| producer.send_async("m#{i}", partition: 0).on_done { |future| called << future.done? } }
    producer.flush
    assert(futures.all?(&:done?))
    assert_equal 200, Array.new(200) { called.pop }.count(true)
    assert_nil futures.first.error
    assert_equal futures.map { |future| future.value.offset }, @client.browse(@topic, partitions: 0).map(&:offset)
  end

  def test_a_callback_may_send
    producer = @client.producer(@topic)
    second = Queue.new
    producer.send_async('first', partition: 0).on_done { second << producer.send_async('second', partition: 0) }
    assert_equal 0, second.pop.value.partition
  end

  def test_messages_of_a_key_stay_together_and_go_where_other_clients_put_them
    producer = @client.producer(@topic)
    %w[a ü key-7].each do |key|
      partitions = Array.new(5) { producer.send('x', key: key).partition }
      assert_equal [Zlib.crc32(key) % 3], partitions.uniq, key
    end
  end

  def test_messages_without_a_key_go_everywhere
    producer = @client.producer(@topic)
    assert_equal [0, 1, 2], Array.new(30) { producer.send('x').partition }.uniq.sort
  end

  def test_a_partitioner_of_the_application
    producer = @client.producer(@topic, partitioner: ->(_key, places) { places.last })
    assert_equal 2, producer.send('x').partition
    wrong = @client.producer(@topic, partitioner: ->(_key, _places) { 17 })
    assert_raises(ArgumentError) { wrong.send('x') }
  end

  def test_durability_and_producers_that_are_not_idempotent
    assert_equal 0, @client.producer(@topic, durability: :disk).send('x', partition: 0).offset
    producer = @client.producer(@topic, idempotent: false, durability: :os)
    assert_nil producer.id
    assert_operator producer.send('x', partition: 0).offset, :>, 0
  end

  def test_topics_are_made_where_the_configuration_allows
    topic = unique('made')
    assert_operator @client.producer.send('x', topic: topic).id, :>, 0
    assert_equal 1, @client.browse(topic).count
  end

  def test_what_is_refused_says_why
    error = assert_raises(Metaq::FailedError) { @client.producer.send('x', topic: unique('not')) }
    assert_equal [500, false, false], [error.code, error.retriable?, error.outcome_unknown?]
    @client.admin.close_topic(@topic)
    assert_raises(Metaq::ForbiddenError) { @client.producer(@topic).send('x', partition: 0) }
    @client.admin.open_topic(@topic)
    assert @client.producer(@topic).send('x', partition: 0)
  end

  def test_closed_partitions_are_left_out
    @client.admin.close_topic(@topic, partitions: 0..1, for_: :publish)
    producer = @client.producer(@topic)
    refused, stored = Array.new(20) { producer.send_async('x') }.partition(&:error)
    assert_equal [2], stored.map { |future| future.value.partition }.uniq
    assert(refused.all? { |future| future.error.is_a?(Metaq::ForbiddenError) })
  end

  def test_a_full_buffer_makes_senders_wait_and_loses_nothing
    producer = @client.producer(@topic, buffer_bytes: 10_000, batch_bytes: 2_000)
    futures = Array.new(500) { producer.send_async('x' * 500, partition: 0) }
    assert_equal 500, futures.map { |future| future.value.offset }.uniq.size
  end

  def test_what_is_larger_than_the_broker_takes_is_refused_here
    bytes = "\0".b * 17_000_000
    producer = @client.producer(@topic, large_bytes: 100_000_000)
    assert @client.browse(@topic).none?
    assert_equal 17_000_000, producer.send(bytes, partition: 0) && @client.browse(@topic).first.body.bytesize
  end
end
