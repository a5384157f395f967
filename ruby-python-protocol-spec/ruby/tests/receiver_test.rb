# frozen_string_literal: true

require_relative 'support'

class ReceiverTest < BrokerTest
  def test_what_was_sent_is_received_and_acknowledged_once
    queue = unique
    client = client()
    receiver = client.receiver(queue)
    client.producer(queue).send('grüße', properties: { 'color' => 'blue' }, priority: 7)
    message = receiver.receive
    assert_equal ['grüße', 'blue', 7, 1], [message.body, message['color'], message.priority, message.delivery_count]
    message.ack
    assert_raises(Metaq::MissedError) { receiver.ack(message) }
    assert_nil receiver.receive(timeout: 0)
  end
end
