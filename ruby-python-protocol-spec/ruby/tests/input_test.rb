# frozen_string_literal: true

require_relative 'support'

# Wrong arguments are refused here, by ArgumentError, before anything is sent.
class InputTest < BrokerTest
  BAD_NAMES = ['', 'a b', 'a/b', 'a*', "a\r\nquit", "\xff".dup.force_encoding('UTF-8'), 'x' * 256, 5, nil].freeze

  def test_names_of_topics
    client = client()
    BAD_NAMES.each do |name|
      calls = [-> { client.receiver(name) }, -> { client.subscribe(name) }, -> { client.reader(name) }, -> { client.group_consumer('g', name) },
               -> { client.browse(name) }, -> { client.browse_queue(name) }, -> { client.requestor(name) }, -> { client.admin.create_topic(name) },
               -> { client.transaction.send('x', topic: name) }]
      calls << -> { client.producer(name) } << -> { client.producer.send('x', topic: name) } if name
      calls.each_with_index { |call, index| assert_raises(ArgumentError, "#{index} #{name.inspect}", &call) }
    end
    assert_raises(ArgumentError) { client.producer.send('x') }
  end

  def test_names_of_groups_members_and_subscriptions
    client = client()
    ['', 'a b', "a\n", 5].each do |name|
      assert_raises(ArgumentError, name.inspect) { client.group_consumer(name, 'test') }
      assert_raises(ArgumentError, name.inspect) { client.group_consumer('g', 'test', member: name) }
      assert_raises(ArgumentError, name.inspect) { client.admin.describe_group(name) }
      assert_raises(ArgumentError, name.inspect) { client.admin.show_transaction(name) }
    end
    assert_raises(ArgumentError) { client.subscribe('test', durable: true) }
    assert_raises(ArgumentError) { client.subscribe('test', name: '', shared: true) }
    assert_raises(ArgumentError) { client.group_consumer('g') }
    assert_raises(ArgumentError) { client.branch(global: 'x' * 65, branch: 'b') }
    assert_raises(ArgumentError) { client.branch(global: 'x', branch: 'b', qualifier: 'a:b') }
  end

  def test_numbers_and_times
    client = client()
    [-1, 'x', nil, Float::NAN, Complex(1, 1)].each do |value|
      assert_raises(ArgumentError, value.inspect) { client.producer('test', timeout: value) }
      assert_raises(ArgumentError, value.inspect) { client.receiver('q', timeout: value) }
      assert_raises(ArgumentError, value.inspect) { client.reader('test', timeout: value) }
      assert_raises(ArgumentError, value.inspect) { client.transaction(timeout: value) }
      assert_raises(ArgumentError, value.inspect) { Metaq::Client.new(TestBroker.shared.address, connect_timeout: value) }
      assert_raises(ArgumentError, value.inspect) { Metaq::Client.new(TestBroker.shared.address, heartbeat: value) }
    end
    [-1, 1.5, 'x', nil].each do |value|
      assert_raises(ArgumentError, value.inspect) { client.receiver('q', prefetch: value) }
      assert_raises(ArgumentError, value.inspect) { client.producer('test', batch_bytes: value) }
      assert_raises(ArgumentError, value.inspect) { client.reader('test', slice_bytes: value) }
      assert_raises(ArgumentError, value.inspect) { client.reader('test', partitions: [value]) }
    end
    [-1, 'x', nil, 1.5, :middle, 1 << 63].each do |place|
      assert_raises(ArgumentError, place.inspect) { client.reader('test', from: place) }
      assert_raises(ArgumentError, place.inspect) { client.group_consumer('g', 'test', from: place) }
      assert_raises(ArgumentError, place.inspect) { client.admin.reset_group('g', topic: 'test', to: place) }
    end
  end

  def test_other_options
    client = client()
    assert_raises(ArgumentError) { client.producer('test', durability: :paper) }
    assert_raises(ArgumentError) { client.producer('test', partitioner: 5) }
    assert_raises(ArgumentError) { client.producer('test', colour: 'blue') }
    assert_raises(ArgumentError) { client.producer('test').send(Metaq::Message.new('x'), priority: 3) }
    assert_raises(ArgumentError) { client.producer('test').send('x', colour: 'blue') }
    assert_raises(ArgumentError) { client.admin.close_topic('test', for_: :everyone) }
    assert_raises(ArgumentError) { client.admin.close_topic('test', partitions: 'all') }
  end

  def test_options_of_clients
    ['', 'host:x', 'host:99999', 'host:0', '::1', 'a b'].each { |server| assert_raises(ArgumentError, server) { Metaq::Client.new(server) } }
    address = TestBroker.shared.address
    assert_raises(ArgumentError) { Metaq::Client.new(address, user: 'anna') }
    assert_raises(ArgumentError) { Metaq::Client.new(address, client_id: '') }
    assert_raises(ArgumentError) { Metaq::Client.new(address, tls: 'yes') }
    assert_raises(ArgumentError) { Metaq::Client.new(address, tls: { ca_file: '/nowhere.pem' }) }
    assert_raises(ArgumentError) { Metaq::Client.new(address, tls: { certificate_file: 'x' }) }
    assert_raises(Metaq::UnauthorizedError) { Metaq::Client.new(address, user: 'nobody', password: 'my secret', connect_timeout: PATIENCE) }
  end
end
