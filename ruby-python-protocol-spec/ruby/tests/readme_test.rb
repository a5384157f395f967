# frozen_string_literal: true

require 'stringio'
require_relative 'support'

# The examples of the README, from top to bottom.
class ReadmeTest < BrokerTest
  EXAMPLES = File.read(File.expand_path('../README.md', __dir__)).scan(/^```ruby\n(.*?)^```/m).flatten

  def test_the_examples_work
    assert_operator EXAMPLES.size, :>, 8
    first, *others = EXAMPLES
    out, = capture_io { eval(first.sub('127.0.0.1:8123', TestBroker.shared.address), TOPLEVEL_BINDING.dup, 'README.md') }
    assert_equal "hello\n", out
    client = client()
    scope = scope_of(client)
    out, err = capture_io { others.each_with_index { |example, index| scope.eval(example, "README.md example #{index + 2}") } }
    # In which order the queue's messages come depends on a delay.
    assert_equal ['HELLO', 'a 2', 'b 1', 'c 1', 'news', 'region is a property, not a header'], out.split("\n").sort
    assert_empty err
  end

  private

  def scope_of(client)
    binding
  end
end
