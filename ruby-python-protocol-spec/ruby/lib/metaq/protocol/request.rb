# frozen_string_literal: true

module Metaq
  # Bytes and their meaning, without sockets, clocks or threads.
  module Protocol
    VERSION = 2

    # Requests as bytes. Each method is one form of one command; the answers stand in PROTOCOL.md. Methods that end in _header give the
    # line alone: the body is written behind it.
    module Request
      module_function

      # @return [String]
      def version(opaque = nil, protocol: nil, client: nil)
        line('version', [opaque], protocol: protocol, client: client)
      end

      def quit
        "quit\r\n".b
      end

      def login(user, opaque, password:)
        line('login', [Escape.encode(user), opaque], password: password)
      end

      def client(id, opaque)
        line('client', [Escape.encode(id), opaque])
      end

      def put(topic, partition, body, opaque, flag: 0, crc: nil, transaction: nil)
        line('put', [topic, partition, body.bytesize, flag, *crc, *transaction, opaque]) << body
      end

      def append(topic, partition, count, body, opaque, **options)
        append_header(topic, partition, count, body.bytesize, opaque, **options) << body
      end

      def append_header(topic, partition, count, length, opaque, producer: nil, seq: nil, durability: nil)
        header = +"append #{topic} #{partition} #{count} #{length} #{opaque}"
        header << " producer=#{producer} seq=#{seq}" if producer
        header << " durability=#{durability}" if durability
        (header << "\r\n").force_encoding(Encoding::ASCII_8BIT)
      end

      def get(topic, group, partition, offset, max_size, opaque, wait: nil, min: nil)
        line('get', [topic, group, partition, offset, max_size, opaque], wait: wait, min: min)
      end

      def offset(topic, group, partition, offset, opaque, at: nil, time: nil)
        line('offset', [topic, group, partition, offset, opaque], at: at, time: time)
      end

      def stats(item = nil, opaque = nil)
        return line('stats', [item]) unless opaque

        (+"stats #{item} #{opaque}\r\n").force_encoding(Encoding::ASCII_8BIT)
      end

      def topic(operation, name, opaque, **options)
        line('topic', [operation, name, opaque], **options)
      end

      def group(operation, name, opaque, **options)
        line('group', [operation, name, opaque], **options)
      end

      def subscription(operation, name, opaque, **options)
        line('subscription', [operation, Escape.encode(name), opaque], **options)
      end

      def tx(operation, key, opaque)
        line('tx', [operation, key, opaque])
      end

      def attach(consumer, name, opaque, topic:, kind:, selector: nil, nolocal: nil, origin: nil)
        line('attach', [consumer, Escape.encode(name), opaque],
             topic: topic, kind: kind, selector: selector, nolocal: nolocal, origin: origin)
      end

      def credit(consumer, messages, bytes)
        line('credit', [consumer, messages, bytes])
      end

      def drain(consumer, messages, opaque)
        line('drain', [consumer, messages, opaque])
      end

      def ack(consumer, ranges, opaque, reply: nil)
        line('ack', [consumer, ranges, opaque], reply: reply)
      end

      def reject(consumer, ranges, opaque, delay: nil, dead: nil)
        line('reject', [consumer, ranges, opaque], delay: delay, dead: dead)
      end

      def release(consumer, ranges, opaque)
        line('release', [consumer, ranges, opaque])
      end

      def detach(consumer, opaque, delivered: nil)
        line('detach', [consumer, opaque], delivered: delivered)
      end

      def transact(body, opaque, producer: nil, seq: nil)
        line('transact', [body.bytesize, opaque], producer: producer, seq: seq) << body
      end

      def enlist(key, body, opaque, following: nil, timeout: nil, begun: nil, producer: nil, seq: nil)
        line('enlist', [key, body.bytesize, opaque],
             then: following, timeout: timeout, begun: begun, producer: producer, seq: seq) << body
      end

      def transaction(key, session, step, opaque, timeout: nil, qualifier: nil, number: nil)
        line('transaction', [key, session, step, *timeout, *qualifier, opaque], number: number)
      end

      def sync(topic, partition, body, id, opaque, flag: 0, crc: nil)
        line('sync', [topic, partition, body.bytesize, flag, id, *crc, opaque]) << body
      end

      # @param tokens [Array] those that are nil are left out
      # @param options [Hash] likewise; the values are encoded here
      # @return [String] a header line, binary
      def line(verb, tokens, **options)
        text = +verb
        tokens.each { |token| text << ' ' << token.to_s unless token.nil? }
        options.each { |key, value| text << ' ' << key.to_s << '=' << Escape.encode(value) unless value.nil? }
        (text << "\r\n").force_encoding(Encoding::ASCII_8BIT)
      end
    end
  end
end
