# frozen_string_literal: true

require_relative 'support'

class ThreadsTest < BrokerTest
  def test_many_threads_share_a_client_a_producer_and_a_receiver
    client = client()
    queue = unique
    receiver = client.receiver(queue)
    producer = client.producer(queue)
    senders = Array.new(8) { |t| Thread.new { 100.times { |i| producer.send("#{t}:#{i}") } } }
    seen = Queue.new
    receivers = Array.new(4) { Thread.new { receiver.each { |message| seen << message.body } } }
    senders.each { |thread| assert thread.join(PATIENCE) }
    await('all') { seen.size >= 800 }
    receiver.flush
    receiver.close
    receivers.each { |thread| assert thread.join(PATIENCE) }
    all = Array.new(seen.size) { seen.pop }
    assert_equal 800, all.uniq.size
    assert_equal 800, all.size
  end

  def test_each_threads_messages_to_a_partition_keep_their_order
    client = client()
    topic = unique('made')
    client.admin.create_topic(topic, partitions: 1)
    producer = client.producer(topic)
    threads = Array.new(5) { |t| Thread.new { Array.new(300) { |i| producer.send_async("#{t}:#{i}") }.each(&:value) } }
    threads.each { |thread| assert thread.join(PATIENCE) }
    by_thread = client.browse(topic).map { |message| message.body.split(':').map(&:to_i) }.group_by(&:first)
    5.times { |t| assert_equal (0...300).to_a, by_thread[t].map(&:last) }
  end

  def test_a_killed_thread_does_not_spoil_the_client
    client = client()
    topic = unique('made')
    client.admin.create_topic(topic, partitions: 1)
    producer = client.producer(topic)
    threads = Array.new(10) { Thread.new { loop { producer.send('x') } } }
    sleep 0.1
    threads.each(&:kill).each(&:join)
    assert producer.send('after')
    assert_equal 'after', client.browse(topic).to_a.last.body
  end

  def test_a_fork_leaves_the_parent_alone_and_is_told
    client = client()
    topic = unique('made')
    producer = client.producer(topic)
    producer.send('before')
    queue = unique
    receiver = client.receiver(queue)
    said = in_child do
      errors = [-> { producer.send('x') }, -> { client.admin }, -> { receiver.receive(timeout: 1) }, -> { client.producer }].map do |call|
        call.call
        'nothing'
      rescue Metaq::ForkedError => e
        e.class.name
      end
      client.close
      own = Metaq::Client.open(TestBroker.shared.address, connect_timeout: PATIENCE) do |fresh|
        made = fresh.producer(topic)
        made.send('from the child')
        made.id == producer.id ? 'the same id' : 'another id'
      end
      [*errors, own].join(' ')
    end
    assert_equal "#{'Metaq::ForkedError ' * 4}another id", said
    producer.send('after')
    assert_equal %w[after before] + ['from the child'], client.browse(topic).map(&:body).sort
    client.producer(queue).send('still here')
    assert_equal 'still here', receiver.receive(timeout: PATIENCE).body
  end

  def test_a_child_that_leaves_the_block_tells_the_broker_nothing
    Metaq::Client.open(TestBroker.shared.address, connect_timeout: PATIENCE) do |client|
      queue = unique
      client.receiver(queue) do |receiver|
        said = in_child { receiver.close && client.close || 'closed' }
        assert_equal 'closed', said
        client.producer(queue).send('x')
        assert_equal 'x', receiver.receive(timeout: PATIENCE).tap(&:ack).body
      end
    end
  end

  private

  # What the block returns in a child process.
  def in_child
    reader, writer = IO.pipe
    child = fork do
      reader.close
      writer.write((yield).to_s)
      writer.close
      exit!(0)
    end
    writer.close
    reader.read
  ensure
    Process.wait(child)
    reader.close
  end
end
