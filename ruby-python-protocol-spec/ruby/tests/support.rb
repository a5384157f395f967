# frozen_string_literal: true

$LOAD_PATH.unshift File.expand_path('../lib', __dir__)
require 'minitest'
require 'metaq'
require_relative 'broker'

# A test that talks to the suite's broker. Each has names of its own, so that they do not meet.
class BrokerTest < Minitest::Test
  # Long, and only to end what hangs.
  PATIENCE = 60

  def setup
    @clients = []
  end

  def teardown
    @clients.each(&:close)
  end

  # A client that is closed behind the test.
  def client(broker = TestBroker.shared, **options)
    Metaq::Client.new(broker.address, connect_timeout: PATIENCE, **options).tap { |made| @clients << made }
  end

  # A name that no other test has.
  def unique(prefix = 't')
    "#{prefix}.#{SecureRandom.hex(6)}"
  end

  # So many messages, and that there are no more.
  def take(source, count)
    messages = Array.new(count) { |i| source.receive(timeout: PATIENCE) || flunk("only #{i} messages of #{count}") }
    assert_nil source.receive(timeout: 0.05)
    messages
  end

  # Waits until the block is true.
  def await(what = 'a condition', patience = PATIENCE)
    limit = Metaq::Clock.now + patience
    until (result = yield)
      flunk "waited in vain for #{what}" if Metaq::Clock.now > limit
      sleep 0.01
    end
    result
  end
end
