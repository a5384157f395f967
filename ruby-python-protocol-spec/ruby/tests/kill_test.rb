# frozen_string_literal: true

require_relative 'support'
require_relative 'guarded_broker'

# A broker that is killed under load.
class KillTest < BrokerTest
  # Brokers may take long to start.
  LONG = 120
  ENOUGH = 60

  def test_nothing_is_lost_or_stored_twice_and_all_go_on
    @broker = TestBroker.guarded
    @client = client(@broker, request_timeout: LONG, **GuardedBroker::LOGIN)
    @queue, @copies, @topic = unique('in'), unique('copies'), unique('made')
    [@queue, @copies].each { |queue| @client.admin.create_queue(queue, partitions: 1) }
    @client.admin.create_topic(@topic, partitions: 2)
    @sent = { @topic => [], @queue => [] }
    read, grouped = readers
    under_load { kill_and_start }
    assert_everything_is_there
    [read, grouped].each { |each| await('the rest', LONG) { read_on(each) } }
    assert_equal @sent[@topic].sort, @seen[read].sort, 'what the reader saw'
    assert_equal @sent[@topic].sort, @seen[grouped].uniq.sort, 'what the group saw'
  end

  private

  def readers
    read = @client.reader(@topic)
    grouped = @client.group_consumer(unique('g'), @topic)
    @seen = { read => [], grouped => [] }.compare_by_identity
    [read, grouped]
  end

  # Whether everything that was sent has come.
  def read_on(each)
    message = each.receive(timeout: 1)
    @seen[each] << message.body if message
    (@sent[@topic] - @seen[each]).empty?
  end

  def under_load
    stop = false
    threads = @sent.keys.map { |target| Thread.new { sending(target) { stop } } }
    threads << Thread.new { transferring { stop } }
    @seen.each { |each, bodies| threads << Thread.new { bodies << each.receive(timeout: 0.2)&.body until stop } }
    await('sends and copies', LONG) { @sent.values.map(&:size).min >= ENOUGH }
    yield
    stop = true
    threads.each { |thread| assert thread.join(LONG), 'a thread hangs' }
    @seen.each_value(&:compact!)
  end

  def kill_and_start
    before = @sent.transform_values(&:size)
    @broker.kill
    @broker.start
    await('sends behind the restart', LONG) { @sent.all? { |target, bodies| bodies.size >= before[target] + ENOUGH } }
  end

  def assert_everything_is_there
    stored = @client.browse(@topic).map(&:body)
    assert_equal @sent[@topic].sort, stored.sort, 'the topic'
    rest, copies = [@queue, @copies].map { |queue| @client.browse_queue(queue).map(&:body) }
    assert_operator copies.size, :>, 0
    assert_equal @sent[@queue].sort, (rest + copies).sort, 'the queue, and what was taken from it in transactions'
  end

  def sending(target)
    producer = @client.producer(target, timeout: LONG)
    until yield
      bodies = Array.new(20) { |i| "#{target} #{@sent[target].size + i}" }
      bodies.map { |body| producer.send_async(body) }.each(&:value)
      @sent[target].concat(bodies)
      sleep 0.005
    end
  end

  # Exactly once from one queue into another.
  def transferring
    receiver = @client.receiver(@queue)
    until yield
      message = receiver.receive(timeout: 0.2) or next
      @client.transaction do |transaction|
        transaction.send(message.body, topic: @copies)
        transaction.ack(message)
      end
    end
    receiver.close
  end
end
