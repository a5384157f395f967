# frozen_string_literal: true

require 'json'
require_relative 'support'

# What the client decides, with times as arguments and without a broker.
class CoreTest < Minitest::Test
  include Metaq::Core

  FILE = File.expand_path('../../vectors/balancing.json', __dir__)

  JSON.parse(File.read(FILE)).each_with_index do |vector, index|
    define_method("test_partitions_are_shared_#{index}: #{vector['name']} #{vector['rule']}") do
      rule = vector['rule'] == 'DEFAULT' ? :ranges : :ring
      assert_equal vector['owned'], Balance.public_send(rule, vector['members'], vector['partitions'])
    end
  end

  def test_what_comes_while_a_batch_is_under_way_is_the_next_batch
    sender = sender()
    first, = add(sender, 'a')
    assert_same first, sender.take(0)
    second, = add(sender, 'b')
    assert_equal [second, 1], add(sender, 'c')
    assert_nil sender.take(0)
    sender.answered(first, 200, '10 0 0', 7, 1)
    assert_equal [10, 0, 0, 7], first.result(0).to_a.values_at(0, 2, 3, 4)
    assert_same second, sender.take(1)
    sender.answered(second, 200, '11 0 21', 7, 1)
    assert_equal [12, 42], [second.result(1).id, second.result(1).offset]
    assert_equal [0, 1], [first, second].map(&:sequence)
    assert_predicate sender, :empty?
  end

  def test_full_batches_do_not_wait_for_each_other
    sender = sender(batch_bytes: 100)
    batches = Array.new(5) { add(sender, 'x' * 70).first }
    taken = []
    while (batch = sender.take(0))
      taken << batch
    end
    assert_equal batches.first(4), taken
  end

  def test_unanswered_batches_are_written_again_in_their_order_before_anything_new
    sender = sender(batch_bytes: 100)
    batches = Array.new(3) { add(sender, 'x' * 70).first }
    2.times { sender.take(0) }
    sender.disconnected(Metaq::ConnectionError.new('lost'))
    assert_nil sender.take(1)
    sender.connected(true, 1 << 20)
    assert_equal batches.first(2), [sender.take(1), sender.take(1)]
    assert_nil sender.take(1)
    sender.answered(batches[0], 200, '1 0 0', 7, 2)
    assert_nil sender.take(2)
    sender.answered(batches[1], 200, '2 0 90', 7, 2)
    assert_same batches[2], sender.take(2)
    assert_equal [0, 1, 2], batches.map(&:sequence)
  end

  def test_a_batch_that_may_be_stored_keeps_its_number_while_the_broker_is_busy_or_full
    [503, 507].each do |code|
      sender = sender()
      batch, = add(sender, 'a')
      sender.take(0)
      sender.disconnected(Metaq::ConnectionError.new('lost'))
      sender.connected(true, 1 << 20)
      sender.take(0)
      sender.answered(batch, code, 'no', 7, 0)
      refute batch.done?
      assert_nil sender.take(0)
      assert_same batch, sender.take(sender.paused_until)
      assert_equal 0, batch.sequence
      sender.answered(batch, 409, 'from the past', 7, 1)
      assert_kind_of Metaq::ConflictError, batch.result(0)
    end
  end

  def test_refused_batches_wait_in_their_order_under_new_numbers
    sender = sender(batch_bytes: 100)
    batches = Array.new(4) { add(sender, 'x' * 70).first }
    taken = Array.new(3) { sender.take(0) }
    taken.each { |batch| sender.answered(batch, 503, 'busy', 7, 0) }
    again = Array.new(3) { sender.take(10) }
    assert_equal batches.first(3), again
    assert_equal [3, 4, 5], again.map(&:sequence)
  end

  def test_what_could_not_be_written_is_first_on_the_next_connection
    sender = sender(batch_bytes: 100)
    batches = Array.new(3) { add(sender, 'x' * 70).first }
    sender.unsent(sender.take(0))
    assert_nil sender.take(0)
    sender.connected(true, 1 << 20)
    assert_equal batches.first(2), Array.new(2) { sender.take(0) }
    assert_equal [0, 1, nil], batches.map(&:sequence)
  end

  def test_a_full_disk_is_told_at_once
    sender = sender()
    batch, = add(sender, 'a')
    sender.take(0)
    sender.answered(batch, 507, 'full', 7, 0)
    error = batch.result(0)
    assert_kind_of Metaq::StorageFullError, error
    assert_equal [true, false], [error.retriable?, error.outcome_unknown?]
  end

  def test_batches_without_numbers_are_not_written_again
    sender = sender(producer_id: nil)
    batch, = add(sender, 'a')
    sender.take(0)
    sender.disconnected(Metaq::ConnectionError.new('lost', outcome_unknown: true))
    assert_predicate batch.result(0), :outcome_unknown?
  end

  def test_batches_expire
    sender = sender()
    written, = add(sender, 'a', 5)
    sender.take(0)
    waiting, = add(sender, 'b', 6)
    assert_equal 5, sender.next_deadline
    sender.expire(10)
    assert_equal [true, false], [written, waiting].map { |batch| batch.result(0).outcome_unknown? }
    assert_predicate sender, :empty?
  end

  def test_at_most_a_hundred_batches_are_under_way
    sender = sender()
    150.times { |i| sender.add("t#{i}", 0, 'x'.b, 0, 100) }
    taken = 0
    taken += 1 while sender.take(0)
    assert_equal 100, taken
  end

  def test_a_broker_without_batches_gets_messages_one_by_one
    sender = Sender.new(producer_id: 5)
    sender.connected(false, 1 << 20)
    batches = %w[a b].map { |body| add(sender, body).first }
    assert_equal [1, 1], batches.map(&:count)
    assert_same batches[0], sender.take(0)
    assert_nil sender.take(0)
    sender.answered(batches[0], 200, '5 0 0', nil, 0)
    assert_same batches[1], sender.take(0)
    assert_equal ['b', 0], batches[1].single
  end

  def test_a_conversation_that_is_silent_is_asked_and_at_last_dead
    talk = Conversation.new(0.0, heartbeat: 10)
    refute talk.heartbeat?(9)
    3.times do |i|
      now = (i + 1) * 10.0
      assert talk.heartbeat?(now)
      refute talk.dead?(now)
      talk.beat(now)
    end
    assert talk.dead?(40.0)
    talk.feed("result 200 0 1\r\n".b, 40.0) { |_, _| flunk 'a heartbeat has no handler' }
    refute talk.dead?(40.0)
  end

  def test_answers_find_who_waits_and_late_ones_nobody
    talk = Conversation.new(0.0)
    first = talk.open(:first, 5)
    second = talk.open(:second, 50)
    assert_equal [:first], talk.expire(6)
    got = []
    talk.feed("result 200 0 #{first}\r\nresult 200 2 #{second}\r\nhidetached 9 0\r\n".b, 7) { |handler, frame| got << [handler, frame.text] }
    assert_equal [[:second, 'hi'], [nil, '']], got
    talk.open(:third, 50)
    assert_equal [:third], talk.close
  end

  def test_pauses_grow_and_differ
    backoff = Backoff.new(least: 1, most: 8, random: Struct.new(:rand).new(1.0))
    assert_equal [1.0, 2.0, 4.0, 8.0, 8.0], Array.new(5) { backoff.next }
    backoff.reset
    assert_equal 1.0, backoff.next
    assert_operator Backoff.new(random: Struct.new(:rand).new(0.0)).next, :<, 0.05
  end

  def test_credit_is_renewed_in_lumps
    credit = Credit.new(10, 1000)
    assert_equal [10, 1000], credit.renewal
    4.times { credit.used(1) }
    assert_nil credit.renewal
    credit.used(1)
    assert_equal [5, 5], credit.renewal
    credit.used(600)
    assert_equal [1, 600], credit.renewal
    credit.restart(3)
    assert_equal [7, 1000], credit.renewal
    assert_nil Credit.new(0, 1000).renewal
  end

  def test_acknowledgements_gather_and_come_again
    acks = Acknowledgements.new
    acks.add(0, 25, 50)
    assert_equal '0:25-50', acks.take.to_s
    acks.add(0, 0, 25)
    acks.add(1, 0, 25)
    assert_nil acks.take
    acks.lost
    assert_equal '0:0-50,1:0-25', acks.take.to_s
    acks.answered('acknowledged 2 missed 1')
    assert_equal [true, 1], [acks.empty?, acks.missed]
    300.times { |i| acks.add(i, 0, 1) }
    assert_equal 250, acks.take.size
  end

  def test_membership_gives_back_before_another_one_reads
    membership = Membership.new
    membership.joined("generation 4\r\nmember a\r\nassign t 0\r\nassign t 1")
    assert_equal [['t', 0], ['t', 1]], membership.gained
    membership.gained.each { |partition| membership.begin(partition) }
    membership.joined("generation 5\r\nmember a\r\nmember b\r\nassign t 0\r\n")
    assert_equal [[], [['t', 1]], %w[a b], 5], [membership.gained, membership.lost, membership.members, membership.generation]
    membership.released(['t', 1])
    assert_empty membership.lost
    assert_equal [['t', 0]], membership.forget
    assert_nil membership.generation
  end

  def test_slices_are_joined_until_there_is_a_message
    bytes = ''.b
    Metaq::Protocol::Storage.append(bytes, 'hello'.b, 0)
    [1, 19, 20, 24].each do |cut|
      joiner = Joiner.new(100, 10)
      assert_nil joiner.came(bytes.byteslice(0, cut))
      assert_equal 100 + cut, joiner.wanted.first
      slice = joiner.came(bytes.byteslice(cut..))
      assert_equal [100, 125], [slice.offset, slice.end_offset]
      assert_equal [125, 10], joiner.wanted
    end
    assert_raises(Metaq::DamagedMessageError) { Joiner.new(0, 10).came("\xff".b * 30) }
  end

  def test_routes_are_read_and_unknown_words_passed_over
    places = Metaq::Routes.parse("broker 9 h:1 partitions 1 publish true subscribe false new words\r\nbroker 7 [::1]:2 partitions 2 publish false subscribe true\r\n")
    assert_equal [[7, 0], [7, 1], [9, 0]], places.map { |place| [place.broker_id, place.number] }
    assert_equal ['[::1]:2', false, true], [places.first.address.to_s, places.first.publish, places.first.subscribe]
  end

  def test_with_tls_routes_name_the_ports_for_it
    places = Metaq::Routes.parse(<<~LINES.gsub("\n", "\r\n"), tls: true)
      broker 7 h:1 partitions 1 publish true subscribe true
      broker 8 [::1]:2 partitions 1 publish true subscribe true tls 8143 and more
    LINES
    assert_equal [nil, '[::1]:8143'], (places.map { |place| place.address&.to_s })
  end

  private

  def sender(**options)
    Sender.new(producer_id: 5, **options).tap { |made| made.connected(true, 1 << 20) }
  end

  def add(sender, body, deadline = 100)
    sender.add('t', 0, body.b, 0, deadline)
  end
end
