# frozen_string_literal: true

# A Ruby application as a test drives it: a JSON object a line on standard input, and on standard output.
# Messages are described as in vectors/messages.json: values are triples of name, type and value.

require 'digest'
require 'json'
require 'metaq'

TYPES = { 'byte' => Metaq::Byte, 'short' => Metaq::Short, 'int' => Metaq::Int, 'long' => Metaq::Long,
          'float' => Metaq::Float, 'double' => Metaq::Double, 'char' => Metaq::Char }.freeze
HEADERS = { 'type' => :type, 'correlationId' => :correlation_id, 'replyTo' => :reply_to, 'priority' => :priority,
            'persistent' => :persistent, 'groupId' => :group_id, 'groupSeq' => :group_seq }.freeze
SPECIAL = { 'NaN' => Float::NAN, 'Infinity' => Float::INFINITY, '-Infinity' => -Float::INFINITY }.freeze
LARGE = 1_000_000
OUTPUT = Mutex.new

def say(**what)
  OUTPUT.synchronize do
    $stdout.puts(JSON.generate(what))
    $stdout.flush
  end
end

def value(type, described)
  case type
  when 'float', 'double' then TYPES[type].new(SPECIAL.fetch(described, described))
  when 'bytes' then [described].pack('H*')
  else TYPES.key?(type) ? TYPES[type].new(described) : described
  end
end

def named(triples)
  triples.to_h { |name, type, described| [name, value(type, described)] }
end

def generated(kind, size)
  kind == 'text' ? 'aä漢😀' * (size / 10) : (0..255).to_a.pack('C*') * (size / 256)
end

def body(described)
  given = described['body']
  return generated(described['kind'], described['size']) if described.key?('size')

  case described['kind']
  when 'bytes' then [given].pack('H*')
  when 'object' then Metaq::JavaObject.new([given].pack('H*'))
  when 'map' then named(given)
  when 'stream' then given.map { |type, plain| value(type, plain) }
  when 'nulltext' then Metaq::NULL_TEXT
  when 'none' then nil
  else given
  end
end

def message(described)
  options = { properties: named(described['properties']) }
  described['headers'].each do |name, given|
    case name
    when 'correlationIdBytes' then options[:correlation_id] = [given].pack('H*')
    when 'timeToLive' then options[:time_to_live] = given / 1000.0
    when 'delay' then options[:delay] = given / 1000.0
    else options[HEADERS.fetch(name)] = given
    end
  end
  Metaq::Message.new(body(described), **options)
end

def number(type, plain)
  return [type, plain] if plain.finite?
  return [type, 'NaN'] if plain.nan?

  [type, plain.positive? ? 'Infinity' : '-Infinity']
end

def pair(given)
  case given
  when nil then ['null', nil]
  when true, false then ['boolean', given]
  when Metaq::Char then ['char', given.unit]
  when Metaq::Float, Metaq::Double then number(given.type.to_s, given.value)
  when Metaq::Typed then [given.type.to_s, given.value]
  when Integer then ['long', given]
  when Float then number('double', given)
  when String then given.encoding == Encoding::BINARY ? ['bytes', given.unpack1('H*')] : ['string', given]
  end
end

def triples(values)
  values.map { |name, given| [name, *pair(given)] }
end

def headers_of(message)
  correlation = message.correlation_id
  binary = correlation && correlation.encoding == Encoding::BINARY
  {
    type: message.type, replyTo: message.reply_to, groupId: message.group_id, groupSeq: message.group_seq,
    priority: message.priority == 4 ? nil : message.priority,
    persistent: message.persistent ? nil : false,
    correlationId: binary ? nil : correlation,
    correlationIdBytes: binary ? correlation.unpack1('H*') : nil,
    timeToLive: message.expiration && message.expiration - message.timestamp,
    delay: message.delivery_time && message.delivery_time - message.timestamp
  }.compact
end

def described(message)
  kind = message.kind.to_s.delete('_')
  made = { kind: kind, headers: headers_of(message), properties: triples(message.wrapped_properties) }
  plain = message.typed_body
  if %w[text bytes].include?(kind) && plain.bytesize >= LARGE
    made[:size] = plain.bytesize
    made[:sha256] = Digest::SHA256.hexdigest(plain)
  else
    case kind
    when 'text' then made[:body] = plain
    when 'bytes' then made[:body] = plain.unpack1('H*')
    when 'object' then made[:body] = plain.bytes.unpack1('H*')
    when 'map' then made[:body] = triples(plain)
    when 'stream' then made[:body] = plain.map { |given| pair(given) }
    end
  end
  made
end

def send_all(client, queue, messages)
  producer = client.producer(queue, timeout: 60)
  messages.each { |given| producer.send(message(given)) }
  producer.close
  say(sent: messages.size)
end

# Each message as it comes; nil if it does not within ten seconds.
def receive(client, queue, count)
  client.receiver(queue) do |receiver|
    count.times do
      received = receiver.receive(timeout: 10)
      say(received: received && described(received))
      break unless received

      received.ack
    end
  end
end

# Sends numbered messages without waiting, and says of each what became of it.
def produce(client, topic, producer_name, first, count)
  producer = client.producer(topic, timeout: 120)
  promises = Queue.new
  telling = Thread.new do
    while (number, promise = promises.pop)
      begin
        result = promise.value
        say(acknowledged: [number, result.partition, result.offset])
      rescue Metaq::Error => e
        say(failed: [number, e.inspect])
      end
    end
  end
  (first...first + count).each do |number|
    name = "#{producer_name}:#{number}:"
    promises << [number, producer.send_async((name + 'x' * (100 - name.size)).b)]
  end
  promises.close
  telling.join
  producer.close
  say(produced: count)
end

# A member of a group, until the process ends.
def consume(client, topic, group)
  Thread.new do
    client.group_consumer(group, [topic]) do |consumer|
      say(consuming: topic)
      consumer.each { |received| say(consumed: [received.partition, received.body.rpartition(':').first]) }
    end
  end
end

client = nil
$stdin.each_line do |line|
  command = JSON.parse(line)
  case command['do']
  when 'connect'
    client = Metaq::Client.new(command['server'], request_timeout: 60, connect_timeout: 60)
    say(connected: Metaq::VERSION)
  when 'send' then send_all(client, command['queue'], command['messages'])
  when 'receive' then receive(client, command['queue'], command['count'])
  when 'produce' then produce(client, command['topic'], command['producer_name'], command['first'], command['count'])
  when 'consume' then consume(client, command['topic'], command['group'])
  end
rescue StandardError => e
  say(error: "#{command['do']}: #{e.full_message(highlight: false)}")
  raise
end
