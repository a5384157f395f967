# frozen_string_literal: true

require_relative 'support'
require_relative 'vectors'
require 'metaq/protocol/request_decoder'

# The codec against the vectors, as their README tells every implementation to do.
class CodecTest < Minitest::Test
  include Metaq::Protocol

  Vectors.all.each do |vector|
    unless vector.sent.empty?
      define_method("test_requests_are_read_wherever_they_are_cut: #{vector.where} #{vector.title}") do
        bytes = vector.sent
        whole = requests(vector, [bytes])
        (0..bytes.bytesize).each do |cut|
          assert_equal whole, requests(vector, [bytes.byteslice(0, cut), bytes.byteslice(cut..)]), "cut at #{cut}"
        end
      end
    end

    unless vector.sent.empty? || %i[lenient malformed incomplete].any? { |mark| vector.mark?(mark) }
      define_method("test_requests_are_written_as_they_stand: #{vector.where} #{vector.title}") do
        read = []
        RequestDecoder.new.feed(vector.sent) { |request| read << request }
        assert_equal vector.sent, read.map(&:write).join
      end
    end

    vector.exchanges.flat_map(&:expected).each_with_index do |template, index|
      define_method("test_replies_are_read_wherever_they_are_cut: #{vector.where} #{vector.title} #{index}") do
        bytes = template.sample
        (0..bytes.bytesize).each do |cut|
          frames = []
          decoder = Decoder.new
          decoder.feed(bytes.byteslice(0, cut)) { |frame| frames << frame }
          decoder.feed(bytes.byteslice(cut..)) { |frame| frames << frame }
          assert_equal 1, frames.size, "cut at #{cut}"
          assert_equal bytes, written(frames.first)
          assert_predicate decoder, :idle?
        end
      end
    end
  end

  def test_what_is_no_frame_is_refused
    ["result 200 0\r\n", "result 200 x 5\r\n", "result 200 -1 5\r\n", "hello\r\n", "\r\n", "value 5\r\n", "message 1 0 0 1 1\r\n",
     "value 2000000000000 5\r\n", 'x' * 70_000].each do |bytes|
      assert_raises(Metaq::ProtocolError, bytes[0, 40]) { Decoder.new.feed(bytes.b) { |_| flunk } }
    end
  end

  private

  def requests(vector, pieces)
    read = []
    decoder = RequestDecoder.new
    begin
      pieces.each { |piece| decoder.feed(piece) { |request| read << [request.name, request.write] } }
      refute vector.mark?(:malformed), 'should be refused'
    rescue MalformedError
      assert vector.mark?(:malformed), 'should not be refused'
    end
    read
  rescue ArgumentError
    read << :refused_by_the_encoder
  end

  def written(frame)
    case frame
    when Result then "result #{frame.code} #{frame.text.bytesize} #{frame.opaque}\r\n".b << frame.text.b
    when Value then "value #{frame.bytes.bytesize} #{frame.opaque}\r\n".b << frame.bytes
    when Delivery
      "message #{frame.consumer} #{frame.partition} #{frame.offset} #{frame.count} #{frame.delivery} #{frame.bytes.bytesize}\r\n".b <<
        frame.bytes
    when Detached then "detached #{frame.consumer} #{frame.text.bytesize}\r\n".b << frame.text.b
    end
  end
end
