# frozen_string_literal: true

require_relative 'support'

class GroupTest < BrokerTest
  def setup
    super
    @client = client
    @topic = unique('made')
    @group = unique('g')
    @client.admin.create_topic(@topic, partitions: 4)
    @producer = @client.producer(@topic)
  end

  def test_a_group_goes_on_where_it_was
    @producer.send_batch((0...100).map(&:to_s))
    first = @client.group_consumer(@group, @topic) { |consumer| Array.new(60) { consumer.receive(timeout: PATIENCE).body } }
    second = @client.group_consumer(@group, @topic) { |consumer| take(consumer, 40).map(&:body) }
    assert_equal (0...100).map(&:to_s).sort, (first + second).sort
    assert_equal 0, @client.admin.describe_group(@group)['partitions'].sum { |partition| partition['lag'] }
  end

  def test_members_share_the_partitions_and_take_over
    one = client.group_consumer(@group, @topic, member: 'one')
    await('all partitions') { one.poll(timeout: 0.05) && one.assignment.size == 4 }
    two = client.group_consumer(@group, @topic, member: 'two')
    await('two each') do
      [one, two].each { |member| member.poll(timeout: 0.05) }
      [one, two].map { |member| member.assignment.size } == [2, 2]
    end
    assert_equal %w[one two], one.members
    assert_empty one.assignment & two.assignment
    @producer.send_batch((0...50).map(&:to_s))
    seen = []
    await('every message') { [one, two].each { |member| seen.concat(member.poll(timeout: 0.05).map(&:body)) } && seen.size >= 50 }
    assert_equal (0...50).map(&:to_s).sort, seen.sort
    two.close
    await('all partitions again') { one.poll(timeout: 0.05) && one.assignment.size == 4 }
    @producer.send_batch(%w[x y z w])
    assert_equal %w[w x y z], Array.new(4) { one.receive(timeout: PATIENCE).body }.sort
  end

  def test_changes_are_told
    changes = []
    one = @client.group_consumer(@group, @topic, on_change: ->(gained, lost) { changes << [gained.size, lost.size] })
    await('partitions') { one.poll(timeout: 0.05) && one.assignment.size == 4 }
    two = client.group_consumer(@group, @topic)
    await('half of them') { one.poll(timeout: 0.05) && one.assignment.size == 2 }
    assert_equal [4, 2], [changes.sum(&:first), changes.sum(&:last)]
    two.close
  end

  def test_commits_by_hand
    @producer.send_batch(%w[a b c], partition: 0)
    @client.group_consumer(@group, @topic, auto_commit: false) do |consumer|
      2.times { consumer.receive(timeout: PATIENCE) }
      consumer.commit
      consumer.receive(timeout: PATIENCE)
    end
    @client.group_consumer(@group, @topic) { |consumer| assert_equal %w[c], take(consumer, 1).map(&:body) }
  end

  def test_a_message_whose_block_raised_comes_again
    @producer.send_batch(%w[a b c], partition: 0)
    seen = []
    @client.group_consumer(@group, @topic) do |consumer|
      assert_raises(RuntimeError) do
        consumer.each do |message|
          seen << message.body
          raise 'no' if message.body == 'b'
        end
      end
    end
    @client.group_consumer(@group, @topic) { |consumer| seen.concat(take(consumer, 2).map(&:body)) }
    assert_equal %w[a b b c], seen
  end

  def test_the_block_may_go_on_behind_an_error
    @producer.send_batch(%w[a b c], partition: 0)
    @client.group_consumer(@group, @topic) do |consumer|
      assert_raises(RuntimeError) { consumer.each { |_| raise 'no' } }
      assert_equal %w[a b c], take(consumer, 3).map(&:body)
    end
  end

  def test_where_a_new_group_begins
    @producer.send_batch(%w[a b], partition: 0)
    @client.group_consumer(@group, @topic, from: :last) do |consumer|
      await('partitions') { consumer.poll(timeout: 0.05) && consumer.assignment.size == 4 }
      @producer.send('c', partition: 0)
      assert_equal 'c', consumer.receive(timeout: PATIENCE).body
    end
  end

  def test_groups_are_looked_after
    admin = @client.admin
    @producer.send_batch(%w[a b], partition: 0)
    consumer = @client.group_consumer(@group, @topic, member: 'm')
    2.times { consumer.receive(timeout: PATIENCE) }
    consumer.commit
    assert_equal 1, admin.groups("#{@group}*")[@group]
    assert_equal ['m'], admin.describe_group(@group)['members']
    assert_raises(Metaq::ConflictError) { admin.reset_group(@group, topic: @topic, to: :first) }
    consumer.close
    assert_operator admin.group_offsets(@group)[[@topic, 0]], :>, 0
    admin.reset_group(@group, topic: @topic, to: :first)
    assert_equal 0, admin.group_offsets(@group, topic: @topic)[[@topic, 0]]
    refute_empty admin.group_history(@group)
    admin.delete_group(@group)
    assert_empty admin.group_offsets(@group)
    assert_raises(Metaq::NotFoundError) { admin.describe_group(@group) }
  end

  def test_a_topic_that_nobody_has
    assert_raises(Metaq::NotFoundError) { @client.group_consumer(@group, unique) }
  end
end
