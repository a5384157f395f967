# frozen_string_literal: true

require_relative 'support'

class SubscriptionTest < BrokerTest
  def setup
    super
    @client = client(client_id: unique('c'))
    @topic = unique('made')
    @client.admin.create_topic(@topic, partitions: 1)
    @producer = @client.producer(@topic)
  end

  def test_each_subscriber_gets_what_is_sent_from_then_on
    @producer.send('before')
    subscribers = Array.new(2) { @client.subscribe(@topic) }
    @producer.send('after')
    assert_equal %w[after after], subscribers.map { |subscriber| subscriber.receive(timeout: PATIENCE).tap(&:ack).body }
  end

  def test_a_durable_subscription_gathers_while_nobody_is_there
    @client.subscribe(@topic, name: 'evening', durable: true).close
    @producer.send('meanwhile')
    @client.subscribe(@topic, name: 'evening', durable: true) do |subscriber|
      assert_equal 'meanwhile', subscriber.receive(timeout: PATIENCE).tap(&:ack).body
      assert_raises(Metaq::ConflictError) { @client.subscribe(@topic, name: 'evening', durable: true) }
    end
    name = @client.subscription('evening')
    assert_equal [name], @client.admin.subscriptions('*', topic: @topic).map { |each| each['name'] }
    @client.admin.delete_subscription(name)
    assert_empty @client.admin.subscriptions('*', topic: @topic)
  end

  def test_shared_subscriptions_share
    [true, false].each do |durable|
      subscribers = Array.new(2) { @client.subscribe(@topic, name: "shared-#{durable}", shared: true, durable: durable, prefetch: 1) }
      @producer.send_batch(%w[a b])
      assert_equal %w[a b], subscribers.map { |subscriber| subscriber.receive(timeout: PATIENCE).tap(&:ack).body }.sort
      subscribers.each(&:close)
    end
  end

  def test_messages_of_the_client_itself_are_left_out
    subscriber = @client.subscribe(@topic, no_local: true)
    @producer.send('own')
    @producer.send('own bytes'.b)
    @producer.send({ 'own' => 'map' })
    client.producer(@topic).send('foreign')
    assert_equal 'foreign', subscriber.receive(timeout: PATIENCE).body
    anonymous = client
    subscriber = anonymous.subscribe(@topic, no_local: true)
    anonymous.producer(@topic).send('own')
    client.producer(@topic).send('foreign')
    assert_equal 'foreign', subscriber.receive(timeout: PATIENCE).body
  end

  def test_selectors_of_subscriptions
    subscriber = @client.subscribe(@topic, selector: "color = 'blue'")
    @producer.send('red', properties: { color: 'red' })
    @producer.send('blue', properties: { color: 'blue' })
    assert_equal 'blue', subscriber.receive(timeout: PATIENCE).body
  end

  def test_a_client_id_is_of_one_client
    assert_raises(Metaq::ConflictError) { client(client_id: @client.client_id) }
  end

  def test_subscriptions_are_looked_after
    admin = @client.admin
    @producer.send_batch(%w[a b c])
    admin.create_subscription('ops', topic: @topic, shared: true, from: :first)
    assert_raises(Metaq::ConflictError) { admin.create_subscription('ops', topic: @topic) }
    assert_equal 3, admin.subscriptions('ops').first['depth']
    assert_includes admin.describe_subscription('ops'), 'kind shared-durable'
    admin.pause_subscription('ops')
    refute_empty admin.explain('ops')
    admin.resume_subscription('ops')
    admin.purge_subscription('ops')
    assert_equal 0, admin.subscriptions('ops').first['depth']
    admin.seek_subscription('ops', to: :first)
    assert_equal 3, admin.subscriptions('ops').first['depth']
    queue = unique
    admin.create_queue(queue)
    assert_equal 2, admin.move_messages('ops', to: queue, count: 2)
    assert_equal 2, @client.browse_queue(queue).count
    admin.delete_subscription('ops')
    assert_raises(Metaq::NotFoundError) { admin.describe_subscription('ops') }
  end
end
