# frozen_string_literal: true

require_relative 'support'
require_relative 'vectors'

# All vectors against a broker, as their README says. They need a fresh one, and nobody else uses the topics in them.
class LiveVectorsTest < BrokerTest
  LIMIT = 20
  PROBE = "version 2023406814\r\n"
  PROBED = Vectors::Template.new('result 200 {len} 2023406814\r\n{text}')

  def test_a_broker_answers_as_the_vectors_say
    known = {}
    failures = Vectors.all.reject { |vector| vector.mark?(:codec) }.map { |vector| failure(vector, known) }.compact
    assert_empty failures, failures.join("\n")
  end

  private

  def failure(vector, known)
    socket = Socket.tcp('127.0.0.1', TestBroker.shared.port, connect_timeout: LIMIT)
    socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    play(vector, Incoming.new(socket), socket, known)
    nil
  rescue Minitest::Assertion, SystemCallError, IOError => e
    "#{vector.where} #{vector.title}: #{e.message}"
  ensure
    socket&.close
  end

  def play(vector, incoming, socket, known)
    vector.exchanges.each do |exchange|
      exchange.sent.each { |piece| socket.write(piece.sample) }
      receive(exchange.expected, incoming, known)
    end
    if vector.mark?(:closed) || vector.mark?(:malformed)
      assert_predicate incoming, :ended?, 'the broker should have closed the connection'
    elsif !vector.mark?(:incomplete)
      socket.write(PROBE)
      receive([PROBED], incoming, known)
    end
  end

  def receive(expected, incoming, known)
    open = expected.dup
    until open.empty?
      frame = incoming.frame
      found = open.index { |template| template.match?(frame, known) }
      flunk "got #{frame.inspect}, expected #{open.map(&:source)}, with #{known}" unless found
      open.delete_at(found)
    end
  end

  # Frames as they come, whole.
  class Incoming
    def initialize(socket)
      @socket = socket
      @buffer = ''.b
    end

    def frame
      fill until (stop = @buffer.index("\r\n"))
      tokens = @buffer.byteslice(0, stop).split
      length = tokens[{ 'result' => 2, 'value' => 1, 'message' => 6, 'detached' => 2 }.fetch(tokens[0])].to_i
      fill while @buffer.bytesize < stop + 2 + length
      @buffer.slice!(0, stop + 2 + length)
    end

    def ended?
      fill
      false
    rescue EOFError, Errno::ECONNRESET
      true
    end

    private

    def fill
      raise IOError, 'no answer' unless @socket.wait_readable(LIMIT)

      @buffer << @socket.readpartial(65_536)
    end
  end
end
