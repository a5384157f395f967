# frozen_string_literal: true

require_relative 'support'

class TemporaryTest < BrokerTest
  def test_requests_and_replies
    server = client
    queue = unique
    receiver = server.receiver(queue)
    thread = Thread.new { receiver.each { |message| server.reply(message, message.body.to_s.upcase, properties: { seen: true }) } }
    client = client()
    assert_equal 'HELLO', client.request(queue, 'hello', timeout: PATIENCE).body
    requestor = client.requestor(queue)
    answers = Array.new(5) { |i| requestor.request("m#{i}", timeout: PATIENCE, correlation_id: (i.odd? ? "own #{i}" : nil)) }
    assert_equal Array.new(5) { |i| "M#{i}" }, answers.map(&:body)
    assert_equal ['own 1', true], [answers[1].correlation_id, answers[1]['seen']]
    requestor.close
    assert_raises(Metaq::TimeoutError) { client.request(unique('made'), 'anybody?', timeout: 0.3) }
    receiver.close
    assert thread.join(PATIENCE)
    assert_raises(ArgumentError) { server.reply(Metaq::Message.new('x'), 'y') }
  end

  def test_a_temporary_queue_is_of_its_client_and_goes_with_it
    owner = client
    queue = owner.temporary_queue
    other = client
    assert_raises(Metaq::ForbiddenError) { other.receiver(queue) }
    other.producer(queue).send('hello')
    assert_equal 'hello', owner.receiver(queue).receive(timeout: PATIENCE).tap(&:ack).body
    assert_equal "temp-queue://#{queue.name}", queue.to_s
    owner.close
    await('the end of the queue') { other.admin.topics(queue.name).empty? }
  end

  def test_temporary_topics
    owner = client
    topic = owner.temporary_topic
    subscriber = owner.subscribe(topic)
    client.producer(topic).send('news')
    assert_equal 'news', subscriber.receive(timeout: PATIENCE).body
    subscriber.close
    topic.delete
    assert_empty owner.admin.topics(topic.name)
  end

  def test_destinations
    destination = Metaq::Destination.parse('queue://a')
    assert_equal [:queue, 'a', 'queue://a'], [destination.kind, destination.name, destination.to_s]
    assert_equal destination, Metaq::Destination.new(:queue, 'a')
    [nil, 'a', 'queue://', 'file://a', 'queue://a b'].each { |text| assert_raises(ArgumentError, text.inspect) { Metaq::Destination.parse(text) } }
  end
end
