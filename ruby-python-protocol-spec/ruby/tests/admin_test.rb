# frozen_string_literal: true

require_relative 'support'

class AdminTest < BrokerTest
  def setup
    super
    @client = client
    @admin = @client.admin
    @topic = unique('made')
  end

  def test_topics
    @admin.create_topic(@topic, partitions: 2, deletePolicy: 'delete,24h')
    assert_equal({ @topic => 2 }, @admin.topics("#{@topic}*"))
    assert_raises(Metaq::ConflictError) { @admin.create_topic(@topic) }
    @admin.alter_topic(@topic, partitions: 3)
    @client.producer(@topic).send('x', partition: 2)
    described = @admin.describe_topic(@topic)
    assert_equal [@topic, 'topic', '3', 'delete,24h'],
                 described.values_at('name', 'kind').push(described['settings']['numPartitions'] || '3', described['settings']['deletePolicy'])
    assert_equal [0, 0, 1], described['partitions'].map { |partition| partition['messages'] }
    @admin.close_topic(@topic, partitions: 0)
    assert_equal %w[closed open open], @admin.describe_topic(@topic)['partitions'].map { |partition| partition['state'] }
    @admin.open_topic(@topic)
    assert_equal [{ 'partition' => 0, 'messages' => 0, 'damaged' => 0 }], @admin.scrub_topic(@topic, partitions: 0)
    @admin.delete_topic(@topic)
    assert_raises(Metaq::NotFoundError) { @admin.describe_topic(@topic) }
    assert_raises(Metaq::BadRequestError) { @admin.create_topic(@topic, colour: 'blue') }
  end

  def test_figures
    figures = @admin.stats
    assert_equal '7', figures['broker_id']
    assert_operator figures['uptime'].to_i, :>=, 0
    assert(@admin.stats('help').any? { |line| line.start_with?('topics') })
    @admin.create_topic(@topic)
    assert(@admin.stats('topics').any? { |line| line.start_with?(@topic) })
  end

  def test_the_server_tells_of_itself
    info = @admin.server
    assert_equal [7, 2, true, false], [info.broker_id, info.protocol, info.feature?('append'), info.login_required?]
    assert_equal info, @client.admin(TestBroker.shared.address).server
  end
end
