# frozen_string_literal: true

require_relative 'support'

class TransactionTest < BrokerTest
  def setup
    super
    @client = client
    @in = unique('in')
    @out = unique('out')
    [@in, @out].each { |queue| @client.admin.create_queue(queue, partitions: 1) }
    @client.producer(@in).send('work')
    @receiver = @client.receiver(@in)
  end

  def test_sends_and_acknowledges_as_one_step
    @client.transaction do |transaction|
      transaction.ack(@receiver.receive(timeout: PATIENCE))
      transaction.send('done', topic: @out, properties: { 'n' => 1 })
      transaction.send('done too', topic: @out)
      assert_empty @client.browse_queue(@out).to_a
    end
    assert_equal ['done', 'done too'], @client.browse_queue(@out).map(&:body)
    assert_equal 0, depth(@in)
  end

  def test_does_nothing_if_the_block_raises
    assert_raises(RuntimeError) do
      @client.transaction do |transaction|
        transaction.ack(@receiver.receive(timeout: PATIENCE))
        transaction.send('done', topic: @out)
        raise 'no'
      end
    end
    assert_empty @client.browse_queue(@out).to_a
    assert_equal 1, depth(@in)
  end

  def test_rolls_back_by_hand
    transaction = @client.transaction
    transaction.send('done', topic: @out)
    transaction.rollback
    assert_raises(ArgumentError) { transaction.commit }
    assert_empty @client.browse_queue(@out).to_a
  end

  def test_does_nothing_if_a_message_is_somebody_elses
    message = @receiver.receive(timeout: PATIENCE)
    @receiver.release(message)
    other = client.receiver(@in)
    assert_equal 'work', (@receiver.close && nil || other.receive(timeout: PATIENCE)).body
    again = @client.receiver(@in)
    transaction = @client.transaction
    transaction.send('done', topic: @out)
    stolen = other.instance_variable_get(:@held).values.first.first
    fake = stolen.dup.tap { |copy| copy.instance_variable_set(:@owner, again) }
    transaction.ack(fake)
    assert_raises(Metaq::ConflictError) { transaction.commit }
    assert_empty @client.browse_queue(@out).to_a
  end

  def test_a_topic_that_is_not_there_undoes_all
    transaction = @client.transaction
    transaction.send('done', topic: @out)
    transaction.send('lost', topic: unique('nosuch'), partition: 0)
    assert_raises(Metaq::NotFoundError, Metaq::ForbiddenError) { transaction.commit }
    assert_empty @client.browse_queue(@out).to_a
  end

  def test_a_step_that_is_sent_again_is_done_once
    link = @client.home(Metaq::Clock.now + 5)
    parts = Metaq::Core::Parts.new
    parts.send(@out, 0, 'once'.b, 0)
    numbers = []
    2.times do
      @client.steps.call('commit', link, 100, 10) do |opaque, given|
        numbers << given
        Metaq::Protocol::Request.transact(parts.encode, opaque, **numbers.first)
      end
    end
    assert_equal 2, numbers.uniq.size
    assert_equal 1, @client.browse_queue(@out).count
  end

  def test_a_branch_through_two_phases
    branch = @client.branch(global: unique, branch: 'b', qualifier: 'rubytest')
    branch.send('paid', topic: @out)
    branch.ack(@receiver.receive(timeout: PATIENCE))
    assert branch.prepare
    assert_empty @client.browse_queue(@out).to_a
    assert_nil @receiver.receive(timeout: 0)
    found = client.recover(qualifier: 'rubytest').find { |each| each.key == branch.key }
    assert_equal 'prepared', @client.admin.transactions(branch.key).first['phase']
    found.commit
    assert_equal ['paid'], @client.browse_queue(@out).map(&:body)
    assert_equal 0, depth(@in)
    assert_equal(-4, assert_raises(Metaq::XAError) { branch.rollback }.xa_code)
  end

  def test_a_branch_that_is_rolled_back
    branch = @client.branch(global: unique, branch: 'b', limit: 60)
    branch.send('paid', topic: @out)
    branch.ack(@receiver.receive(timeout: PATIENCE))
    branch.enlist
    branch.rollback
    assert_equal 2, @receiver.receive(timeout: PATIENCE).delivery_count
    assert_empty @client.browse_queue(@out).to_a
  end

  def test_a_branch_in_pieces_and_in_one_phase
    branch = @client.branch(global: unique, branch: 'b')
    3.times do |i|
      branch.send("piece #{i}", topic: @out)
      branch.enlist
    end
    branch.commit_one_phase
    assert_equal 3, @client.browse_queue(@out).count
    empty = @client.branch(global: unique, branch: 'b')
    refute empty.prepare
  end

  def test_what_an_operator_decided
    branch = @client.branch(global: unique, branch: 'b')
    branch.send('paid', topic: @out)
    branch.prepare
    @client.admin.decide_transaction(branch.key, commit: true)
    assert_equal 7, assert_raises(Metaq::XAError) { branch.rollback }.xa_code
    branch.forget
    assert_raises(Metaq::NotFoundError) { @client.admin.show_transaction(branch.key) }
  end

  private

  def depth(queue)
    @client.admin.subscriptions("queue:#{queue}").first['depth']
  end
end
