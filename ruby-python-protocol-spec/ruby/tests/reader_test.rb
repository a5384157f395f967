# frozen_string_literal: true

require_relative 'support'

class ReaderTest < BrokerTest
  def setup
    super
    @client = client
    @topic = unique('made')
    @client.admin.create_topic(@topic, partitions: 2)
    @producer = @client.producer(@topic)
  end

  def test_reads_everything_from_the_first_message_on
    @producer.send_batch((0...1000).map(&:to_s))
    messages = take(@client.reader(@topic), 1000)
    assert_equal (0...1000).map(&:to_s).sort, messages.map(&:body).sort
    messages.group_by(&:partition).each_value do |own|
      assert_equal own.map(&:offset).sort, own.map(&:offset)
      own.each_cons(2) { |a, b| assert_equal a.next_offset, b.offset }
    end
  end

  def test_waits_for_what_is_sent_later
    @client.reader(@topic, from: :last) do |reader|
      assert_nil reader.receive(timeout: 0.1)
      @producer.send('late')
      assert_equal 'late', reader.receive(timeout: PATIENCE).body
      @producer.send_batch(%w[a b])
      assert_equal %w[a b], [reader.receive(timeout: PATIENCE).body, reader.receive(timeout: PATIENCE).body].sort
    end
  end

  def test_begins_at_an_offset_or_a_time
    results = @producer.send_batch(%w[a b c], partition: 0)
    @client.reader(@topic, partitions: 0, from: results[1].offset) { |reader| assert_equal 'b', reader.receive.body }
    sleep 0.02
    between = Time.now
    sleep 0.02
    @producer.send('d', partition: 0)
    @client.reader(@topic, partitions: 0, from: between) { |reader| assert_equal 'd', reader.receive.body }
    @client.reader(@topic, partitions: [0], from: Time.at(0)) { |reader| assert_equal 'a', reader.receive.body }
    @client.reader(@topic, partitions: 0, from: Time.now + 3600) { |reader| assert_nil reader.receive(timeout: 0.1) }
  end

  def test_goes_elsewhere
    results = @producer.send_batch(%w[a b c], partition: 1)
    @client.reader(@topic, partitions: 1) do |reader|
      assert_equal %w[a b c], take(reader, 3).map(&:body)
      reader.seek(results[1].offset)
      assert_equal({ [7, 1] => results[1].offset }, reader.positions)
      assert_equal 'b', reader.receive.body
      assert_equal results[2].offset, reader.positions.values.first
      reader.seek(:first, partition: 1)
      assert_equal 'a', reader.receive.body
      reader.seek(:last)
      assert_nil reader.receive(timeout: 0.1)
      assert_raises(ArgumentError) { reader.seek(:first, partition: 5) }
    end
  end

  def test_an_offset_that_is_not_kept_any_more_or_not_yet_leads_to_one_that_is
    @producer.send('a', partition: 0)
    @client.reader(@topic, partitions: 0, from: (1 << 63) - 1) do |reader|
      assert_nil reader.receive(timeout: 0.2)
      @producer.send('b', partition: 0)
      assert_equal 'b', reader.receive(timeout: PATIENCE).body
    end
  end

  def test_messages_longer_than_a_slice
    @producer.send('x' * 5000, partition: 0)
    @producer.send('y', partition: 0)
    @client.reader(@topic, partitions: 0, slice_bytes: 100) do |reader|
      assert_equal [5000, 1], [reader.receive.body.length, reader.receive.body.length]
    end
  end

  def test_is_enumerable_and_lazy
    @producer.send_batch((0...100).map(&:to_s), partition: 0)
    reader = @client.reader(@topic, partitions: 0)
    assert_equal %w[0 2 4], reader.each(timeout: PATIENCE).lazy.map(&:body).select { |body| body.to_i.even? }.first(3)
    assert_equal '5', reader.first.body
  end

  def test_a_topic_or_partition_that_nobody_has
    assert_raises(Metaq::NotFoundError) { @client.reader(unique) }
    assert_raises(Metaq::NotFoundError) { @client.reader(@topic, partitions: [0, 9]) }
  end

  def test_what_cannot_be_read_is_told_and_tried_again
    @producer.send('a', partition: 0)
    reader = @client.reader(@topic, partitions: 0)
    assert_equal 'a', reader.receive.body
    @client.admin.close_topic(@topic, for_: :subscribe)
    reader.seek(:first)
    assert_raises(Metaq::ForbiddenError) { reader.receive(timeout: PATIENCE) }
    @client.admin.open_topic(@topic)
    await('the message') { reader.receive(timeout: 1) rescue nil }
  end

  def test_ends_when_it_is_closed_by_another_thread
    reader = @client.reader(@topic)
    thread = Thread.new { reader.each { |_| flunk } }
    await('the thread to wait') { thread.stop? }
    reader.close
    assert thread.join(PATIENCE)
    assert_raises(Metaq::ClosedError) { reader.receive(timeout: 1) }
  end

  def test_browsing_ends_where_the_topic_ends
    @producer.send_batch((0...3000).map { |i| "#{i}:#{'x' * 1000}" })
    assert_equal 3000, @client.browse(@topic).count
    assert_equal 0, @client.browse(@topic, from: :last).count
    assert_equal 2, @client.browse(@topic).lazy.select { |message| message.body.start_with?('7') }.first(2).size
    assert_raises(Metaq::NotFoundError) { @client.browse(unique).to_a }
  end
end
