# frozen_string_literal: true

require 'json'
require_relative 'support'

# What is in a message, against ../vectors/messages.json, and what cannot be.
class MessageTest < Minitest::Test
  include Metaq

  FILE = File.expand_path('../../vectors/messages.json', __dir__)
  Source = Struct.new(:topic, :broker_id)

  JSON.parse(File.read(FILE)).each do |vector|
    if vector['malformed']
      define_method("test_is_found_malformed: #{vector['name']}") do
        message = read(vector)
        if vector['malformed'] == 'payload'
          assert_raises(DamagedMessageError) do
            message.large? ? Large.chunks(header_values(message), payload_of(message)) : message.body
          end
        else
          assert_kind_of String, message.malformed
          assert_equal [:bytes, {}], [message.kind, message.properties]
        end
      end
    else
      define_method("test_is_read: #{vector['name']}") { assert_equal description(vector), described(read(vector), vector) }
    end

    if vector['canonical']
      define_method("test_is_written: #{vector['name']}") do
        assert_equal [vector['body'], vector['flag']], written(vector).then { |body, flag| [body.unpack1('H*'), flag] }
      end
    end
  end

  def test_a_message_that_is_sent_again_keeps_its_types
    sent = Message.new({ 'b' => Byte.new(1), 'c' => Char.new('é'), 'x' => 'raw'.b },
                       properties: { s: Short.new(2), f: Metaq::Float.new(1.1), i: Int.new(3), n: nil, l: 4 }, type: 't', group_id: 'g')
    again = round_trip(round_trip(sent).with(time_to_live: 5, priority: 8))
    assert_equal %i[short float int null long], %w[s f i n l].map { |name| again.property_type(name) }
    assert_equal %i[byte char bytes], %w[b c x].map { |name| again.body_type(name) }
    assert_equal ['t', 'g', 8, { 'b' => 1, 'c' => 'é', 'x' => 'raw'.b }], [again.type, again.group_id, again.priority, again.body]
    assert_equal [again.timestamp + 5000, 0], [again.expiration, again.flag & Protocol::Storage::LARGE]
    assert_nil again['missing']
    plain = round_trip(again.with(priority: 4, persistent: true, type: nil, body: 'text', properties: {}, attribute: 'a'))
    assert_equal [4, true, nil, 'text', {}, 'a', 'g'], [plain.priority, plain.persistent?, plain.type, plain.body, plain.properties,
                                                         plain.attribute, plain.group_id]
    assert_equal [1, 9], round_trip(sent.with(priority: 9, persistent: false)).then { |m| [m.headers[:delivery_mode], m.priority] }
  end

  def test_encodings
    assert_equal ['é', Encoding::UTF_8], round_trip(Message.new('é'.encode('ISO-8859-1'))).body.then { |body| [body, body.encoding] }
    assert_equal ["\xff".b, Encoding::BINARY], round_trip(Message.new("\xff".b)).body.then { |body| [body, body.encoding] }
    ['é'.b, ['x'.b]].each { |bytes| assert_equal bytes, round_trip(Message.new(bytes)).body }
    bad = "\xff".dup.force_encoding('UTF-8')
    [-> { Message.new(bad) }, -> { Message.new('', properties: { a: bad }) }, -> { Message.new('', properties: { bad => 1 }) },
     -> { Message.new('', type: bad) }, -> { Message.new('', attribute: bad) }, -> { Message.new({ bad => 1 }) }, -> { Message.new([bad]) },
     -> { Message.encode_plain(bad, 0) }].each { |attempt| assert_raises(ArgumentError, &attempt) }
  end

  def test_what_cannot_be_a_message
    { priority: 10, persistent: 'yes', correlation_id: 5, reply_to: 'orders', type: 5, timestamp: 'now', expiration: 1.5, group_seq: 1 << 31,
      group_id: :g, partition: -1, time_to_live: -1, delay: 'x', flag: 1, colour: 'blue', properties: [], attribute: 7, key: 7 }
      .each { |name, value| assert_raises(ArgumentError, name) { Message.new('x', **{ name => value }) } }
    [Object.new, 5, :text, 1 << 64].each { |body| assert_raises(ArgumentError, body.inspect) { Message.new(body) } }
    [1 << 63, Object.new, [1], { 'a' => 1 }].each do |value|
      assert_raises(ArgumentError, value.inspect) { Message.new('x', properties: { a: value }) }
      assert_raises(ArgumentError, value.inspect) { Message.new([value]) }
    end
    ['', 'n' * 65_536].each { |name| assert_raises(ArgumentError) { Message.new('x', properties: { name => 1 }) } }
    assert_raises(ArgumentError) { Message.new({ '' => 1 }) }
    assert_raises(ArgumentError) { Message.new({ 'a' => 1, a: 2 }) }
    [-> { Byte.new(128) }, -> { Short.new(-32_769) }, -> { Int.new(1.0) }, -> { Long.new(1 << 63) }, -> { Char.new('ab') }, -> { Char.new('😀') },
     -> { Metaq::Float.new('1') }, -> { Double.new(nil) }, -> { JavaObject.new(1) }].each { |attempt| assert_raises(ArgumentError, &attempt) }
  end

  private

  def read(vector)
    ReceivedMessage.new([vector['body']].pack('H*'), vector['flag'], 1, Source.new('t', 7), 0, 0)
  end

  def round_trip(message)
    ReceivedMessage.new(*message.encode(1_796_040_000_000), 1, Source.new('t', 7), 0, 0)
  end

  def header_values(message)
    message.send(:all_headers)
  end

  def payload_of(message)
    message.instance_variable_get(:@payload)
  end

  def description(vector)
    payload = vector['payload'].dup
    payload.delete('bytes') if payload['kind'] == 0
    [vector['attribute'], vector['headers'], vector['properties'], payload]
  end

  def described(message, vector)
    assert_nil message.malformed
    headers = header_values(message).sort_by { |name, _| Headers::TABLE[name].first }.map do |name, value|
      type = value.is_a?(String) && value.encoding == Encoding::BINARY ? 'bytes' : Properties::TYPES[Headers::TABLE[name].last].to_s
      [name.to_s.upcase, type, plain(type, value)]
    end
    properties = message.properties.map { |name, value| typed(message.property_type(name), value).unshift(name) }
    [message.attribute, headers, properties, payload(message, vector['payload']['kind'])]
  end

  def payload(message, kind)
    found = { 'kind' => kind.nil? ? nil : Payload::KINDS.index(message.kind) }
    return found.merge('chunks' => Large.chunks(header_values(message), payload_of(message))) if message.large?

    case message.kind
    when :text then found['text'] = message.body
    when :bytes then found['bytes'] = message.body.unpack1('H*')
    when :object then found['object'] = message.body.bytes.unpack1('H*')
    when :map then found['map'] = message.body.map { |name, value| typed(message.body_type(name), value).unshift(name) }
    when :stream then found['stream'] = message.body.each_with_index.map { |value, index| typed(message.body_type(index), value) }
    end
    found
  end

  def typed(type, value)
    [type.to_s, plain(type.to_s, value)]
  end

  def plain(type, value)
    case type
    when 'bytes' then value.unpack1('H*')
    when 'char' then Char.new(value).unit
    when 'float', 'double' then value.finite? ? value : value.to_s
    else value
    end
  end

  FLOATS = { 'NaN' => ::Float::NAN, 'Infinity' => ::Float::INFINITY, '-Infinity' => -::Float::INFINITY }.freeze
  CLASSES = { 'byte' => Byte, 'short' => Short, 'int' => Int, 'float' => Metaq::Float, 'double' => Double, 'char' => Char }.freeze

  def value(type, given)
    given = FLOATS.fetch(given, given)
    return [given].pack('H*') if type == 'bytes'

    CLASSES.key?(type) ? CLASSES[type].new(given) : given
  end

  def written(vector)
    headers = vector['headers'].to_h { |name, type, given| [name.downcase.to_sym, type == 'bytes' ? [given].pack('H*') : given] }
    headers.delete(:body_kind)
    large = headers.slice(*headers.keys.grep(/\Alarge_/)) if headers.key?(:large_topic)
    headers.reject! { |name, _| name.to_s.start_with?('large_') }
    headers[:persistent] = headers.delete(:delivery_mode) != 1 if headers.key?(:delivery_mode)
    properties = vector['properties'].to_h { |name, type, given| [name, value(type, given)] }
    message = Message.new(body(vector['payload']), properties: properties, attribute: vector['attribute'], **headers)
    options = { block: !vector['payload']['kind'].nil? }
    options.update(large: large, payload: vector['payload']['chunks'].pack('q>*')) if large
    message.encode(nil, **options)
  end

  def body(payload)
    case payload['kind']
    when nil, 2 then [payload.fetch('bytes', '')].pack('H*')
    when 1 then payload.fetch('text', '')
    when 3 then payload.fetch('map', []).to_h { |name, type, given| [name, value(type, given)] }
    when 4 then payload.fetch('stream', []).map { |type, given| value(type, given) }
    when 5 then JavaObject.new([payload['object']].pack('H*'))
    when 6 then NULL_TEXT
    end
  end
end
