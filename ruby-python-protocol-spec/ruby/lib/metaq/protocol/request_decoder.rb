# frozen_string_literal: true

module Metaq
  module Protocol
    # A frame that no broker would read. Nobody can tell where the next one begins.
    class MalformedError < ProtocolError; end

    # Reads what clients send, as a broker does. The client itself has no need of it; scripted brokers and the tests of the codec do.
    class RequestDecoder
      # One request. `Request.public_send(*call)` writes it again.
      Read = Struct.new(:name, :arguments, :options) do
        def write
          Request.public_send(name, *arguments, **options)
        end
      end

      INT32 = (-(1 << 31)..(1 << 31) - 1).freeze
      INT64 = (-(1 << 63)..(1 << 63) - 1).freeze
      KEYWORDS = { 'then' => :following, 'password' => :password }.freeze
      STEPS = %w[BEGIN PREPARE COMMIT_ONE_PHASE COMMIT_TWO_PHASE ROLLBACK RECOVER FORGET END].freeze
      KEY = /\A(TX:.+:-?\d+|XID:-?\d+:\h*:\h*:[^:]*|null)\z/.freeze

      # @param max_line [Integer] bytes of the longest header line
      # @param max_body [Integer] bytes of the largest body
      def initialize(max_line: 16_384, max_body: 16_777_216)
        @max_line = max_line
        @max_body = max_body
        @buffer = ''.b
        @open = nil
        @need = 0
        @ended = false
      end

      # @param bytes [String]
      # @yieldparam request [Read]
      # @raise [MalformedError]
      def feed(bytes)
        return if @ended

        @buffer << bytes
        while !@ended && (@open || header) && @buffer.bytesize >= @need
          body = @buffer.slice!(0, @need)
          open = @open
          @open = nil
          @need = 0
          request = open.call(body)
          yield request if request
        end
      end

      private

      def header
        stop = @buffer.index("\r\n")
        raise MalformedError, 'too long a line' if stop ? stop + 2 > @max_line : @buffer.bytesize > @max_line
        return false unless stop

        line = @buffer.slice!(0, stop + 2).chomp("\r\n").force_encoding(Encoding::UTF_8)
        raise MalformedError, 'not UTF-8' unless line.valid_encoding?
        raise MalformedError, 'control characters' if line.match?(/[\x00-\x1f\x7f]/)

        @tokens = line.sub(/ +\z/, '').split(/ /, -1)
        @open = understood
        true
      end

      def understood
        verb = @tokens.first.to_s
        raise MalformedError, "unknown verb #{verb.inspect}" unless VERBS.include?(verb)
        raise MalformedError, 'an empty token' if @tokens.any?(&:empty?) && verb != 'stats'

        send("read_#{verb}")
      end

      VERBS = %w[version quit login client put append get offset stats topic group subscription tx attach credit drain ack reject
                 release detach transact enlist transaction sync result value message detached].freeze

      def read(name, *arguments, **options)
        ->(_body) { Read.new(name, arguments, options) }
      end

      def size(least, most = least)
        raise MalformedError, "#{@tokens.size} tokens" unless @tokens.size.between?(least, most)
      end

      def at_least(count)
        raise MalformedError, "#{@tokens.size} tokens" if @tokens.size < count
      end

      def int(index, range = INT32)
        token = @tokens[index]
        value = token.match?(/\A-?\d+\z/) ? token.to_i : nil
        raise MalformedError, "no number: #{token}" unless value && range.cover?(value)

        value
      end

      def length(index)
        @need = int(index)
        raise MalformedError, "a body of #{@need} bytes" unless @need.between?(0, @max_body)
      end

      # What is no option is kept under its own name: it is refused, or passed over, but it is no malformed frame.
      def options(from)
        (@tokens[from..] || []).to_h do |token|
          key, value = token.split('=', 2)
          [KEYWORDS.fetch(key, key).to_sym, (Escape.decode(value.to_s) rescue value)]
        end
      end

      def words(from)
        options(from).select { |key, _| %i[wait min at time protocol client].include?(key) }
      end

      def read_version
        opaque = @tokens.size > 1 ? int(1) : nil
        read(:version, *opaque, **words(2).slice(:protocol, :client))
      end

      def read_quit
        @ended = true
        lambda { |_body| Read.new(:quit, [], {}) }
      end

      def read_login
        at_least(3)
        read(:login, decoded(1), int(2), **options(3))
      end

      def read_client
        size(3)
        read(:client, decoded(1), int(2))
      end

      def decoded(index)
        Escape.decode(@tokens[index])
      rescue ProtocolError
        @tokens[index]
      end

      def read_put
        size(6, 8)
        topic, partition, flag, opaque = @tokens[1], int(2), int(4), int(-1)
        length(3)
        extra = @tokens[5..-2]
        crc = extra.shift.to_i if extra.first&.match?(/\A[-\d]/) && (int(5) || true)
        key = extra.shift
        raise MalformedError, "no transaction: #{key}" unless (key.nil? || KEY.match?(key)) && extra.empty?

        ->(body) { Read.new(:put, [topic, partition, body, opaque], { flag: flag, crc: crc, transaction: key }) }
      end

      def read_append
        at_least(6)
        topic, partition, count, opaque, given = @tokens[1], int(2), int(3), int(5), options(6)
        length(4)
        ->(body) { Read.new(:append, [topic, partition, count, body, opaque], given) }
      end

      def read_get
        at_least(7)
        read(:get, @tokens[1], @tokens[2], int(3), int(4, INT64), int(5), int(6), **words(7))
      end

      def read_offset
        at_least(6)
        read(:offset, @tokens[1], @tokens[2], int(3), int(4, INT64), int(5), **words(6))
      end

      def read_stats
        size(1, 3)
        read(:stats, *@tokens[1], *(@tokens.size == 3 ? int(2) : nil))
      end

      def named
        at_least(4)
        [@tokens[1], @tokens[2], int(3)]
      end

      def read_topic
        read(:topic, *named, **options(4))
      end

      def read_group
        read(:group, *named, **options(4))
      end

      def read_subscription
        operation, _, opaque = named
        read(:subscription, operation, decoded(2), opaque, **options(4))
      end

      def read_tx
        size(4)
        read(:tx, *named)
      end

      def read_attach
        at_least(4)
        read(:attach, int(1), decoded(2), int(3), **options(4))
      end

      def read_credit
        size(4)
        raise MalformedError, 'a negative credit' if int(2).negative? || int(3).negative?

        read(:credit, int(1), int(2), int(3))
      end

      def read_drain
        size(4)
        read(:drain, int(1), int(2), int(3))
      end

      def ranged(name)
        at_least(4)
        read(name, int(1), Ranges.parse(@tokens[2]), int(3), **options(4))
      rescue MalformedError
        raise
      rescue ProtocolError => e
        raise MalformedError, e.message
      end

      def read_ack
        ranged(:ack)
      end

      def read_reject
        ranged(:reject)
      end

      def read_release
        ranged(:release)
      end

      def read_detach
        at_least(3)
        read(:detach, int(1), int(2), **options(3))
      end

      def read_transact
        at_least(3)
        opaque, given = int(2), options(3)
        length(1)
        ->(body) { Read.new(:transact, [body, opaque], given) }
      end

      def read_enlist
        at_least(4)
        key, opaque, given = @tokens[1], int(3), options(4)
        raise MalformedError, "no transaction: #{key}" unless KEY.match?(key)

        length(2)
        ->(body) { Read.new(:enlist, [key, body, opaque], given) }
      end

      def read_transaction
        last = @tokens.size - 1
        last -= 1 while last.positive? && @tokens[last].include?('=')
        number = @tokens[(last + 1)..].to_h { |token| token.split('=', 2) }['number']
        @tokens = @tokens[0..last]
        size(5, 7)
        key, session, step = @tokens[1, 3]
        raise MalformedError, "no transaction: #{key}" unless KEY.match?(key)
        raise MalformedError, "no step: #{step}" unless STEPS.include?(step)

        extra = @tokens[4..-2]
        timed = extra.size == 2 || (step == 'BEGIN' && extra.first&.match?(/\A\d+\z/) && key.split(':').last != extra.first)
        timeout = extra.shift if timed
        read(:transaction, key, session, step, int(-1), timeout: timeout, qualifier: extra.shift, number: number)
      end

      def read_sync
        size(7, 8)
        topic, partition, flag, id, opaque = @tokens[1], int(2), int(4), int(5, INT64), int(-1)
        crc = int(6) if @tokens.size == 8
        length(3)
        ->(body) { Read.new(:sync, [topic, partition, body, id, opaque], { flag: flag, crc: crc }) }
      end

      # Frames of brokers are read over.
      def over(index)
        length(index)
        ->(_body) {}
      end

      def read_result
        size(4)
        over(2)
      end

      def read_value
        size(3)
        over(1)
      end

      def read_message
        size(7)
        over(6)
      end

      def read_detached
        size(3)
        over(2)
      end
    end
  end
end
