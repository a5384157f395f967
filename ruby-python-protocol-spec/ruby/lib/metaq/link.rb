# frozen_string_literal: true

require_relative 'connection'
require_relative 'handshake'
require_relative 'promise'

module Metaq
  # One connection to one broker, kept up: a thread that connects, reads, writes what the socket did not take at once, beats, and connects
  # again with growing pauses. Handlers of answers run on that thread and must not wait for anything.
  #
  # @api private
  class Link
    Settings = Struct.new(:name, :login, :client_id, :tls, :connect_timeout, :request_timeout, :heartbeat, :logger, keyword_init: true)

    # Between taking a request up and having its bytes in the queue no thread may be killed: a frame would be cut, or sent twice. Nothing in
    # there waits.
    UNBROKEN = { Object => :never }.freeze

    # @return [Address]
    attr_reader :address
    # @return [Core::ServerInfo, nil] what the broker said of itself, the last time
    attr_reader :info

    def initialize(address, settings)
      @address = address
      @settings = settings
      @lock = Mutex.new
      @changed = ConditionVariable.new
      @state = :connecting
      @out = []
      @listeners = []
      @restorers = []
      @seats = {}
      @timers = []
      @pid = Process.pid
      @wake_reader, @wake_writer = IO.pipe
      @thread = Thread.new { run }
      @thread.name = "metaq #{address}"
      @thread.report_on_exception = true
    end

    # @return [Boolean]
    def up?
      @state == :up
    end

    # @return [Boolean] whether the broker does not let this client in, or is not to be trusted
    def refused?
      !@refusal.nil?
    end

    # @return [Boolean] whether the last attempt to connect failed, or the connection was lost
    def failing?
      !@trouble.nil?
    end

    # @param listener [#link_up, #link_down] told on the link's thread
    def listen(listener)
      @lock.synchronize { @listeners |= [listener] }
    end

    def unlisten(listener)
      @lock.synchronize { @listeners -= [listener] }
    end

    # @param restorer [#restore] made again on each new connection, in the order of their addition
    def restore(restorer)
      @lock.synchronize { @restorers |= [restorer] }
    end

    def forget(restorer)
      @lock.synchronize { @restorers -= [restorer] }
    end

    # @param seat [#deliver, #detached] gets what comes unasked for that consumer, on the link's thread
    def seat(consumer, seat)
      @lock.synchronize { seat ? @seats[consumer] = seat : @seats.delete(consumer) }
    end

    # Waits until there is a connection.
    #
    # @return [Core::ServerInfo]
    # @raise [Error] if there is none until then, or the broker refuses this client
    def await(deadline)
      check_process
      @lock.synchronize do
        until @state == :up
          raise ClosedError, 'the client is closed' if @state == :closed
          raise @refusal.clone if @refusal

          Waiting.check
          left = deadline - Clock.now
          raise TimeoutError, "no connection to #{@address} in time#{@trouble && ": #{@trouble.message}"}" if left <= 0

          @changed.wait(@lock, left)
        end
        @info
      end
    end

    # Asks and waits for the answer.
    #
    # @param what [String] for people
    # @param timeout [Numeric] seconds, those of a lost connection included
    # @param repeat [Boolean] whether it does no harm to ask again after a lost connection
    # @param accept [Array<Integer>] codes that are no failure
    # @param keep [#restore, nil] what is to be made again on new connections, once the broker has agreed
    # @yieldparam opaque [Integer]
    # @yieldreturn [String] the request
    # @return [Protocol::Result, Protocol::Value]
    # @raise [ReplyError] if the code is none of those accepted
    # @raise [TimeoutError, ConnectionError, ClosedError]
    def call(what, timeout: @settings.request_timeout, repeat: false, accept: [200], keep: nil, &request)
      deadline = Clock.now + timeout
      loop do
        await(deadline)
        outcome = ask(deadline, keep, &request)
        case outcome
        when Protocol::Value then return outcome
        when Protocol::Result
          return outcome if accept.include?(outcome.code)

          raise ReplyError.of(outcome.code, outcome.text, what)
        when ConnectionError
          again = repeat || !outcome.outcome_unknown?
          raise renamed(outcome, what) unless again && !outcome.is_a?(TimeoutError)
        when nil then raise TimeoutError.new("#{what}: #{@address} did not answer in #{timeout} s", outcome_unknown: true)
        else raise outcome
        end
      end
    end

    # Sends a request, and goes on.
    #
    # @param deadline [::Float]
    # @param handler [#call] gets the answer or a {ConnectionError} that says whether it may have been sent
    # @yieldparam opaque [Integer]
    # @yieldreturn [String, Array<String>] the request, in pieces
    # @raise [ConnectionError] if there is no connection: then it was not sent
    def post(deadline, handler)
      Thread.handle_interrupt(UNBROKEN) do
        @lock.synchronize do
          raise ClosedError, 'the client is closed' if @state == :closed
          raise ConnectionError, "no connection to #{@address}#{@trouble && ": #{@trouble.message}"}" unless @state == :up

          opaque = @conversation.open(handler, deadline)
          push(yield(opaque))
          opaque
        end
      end
    end

    # Sends what has no answer. It is lost without a word where there is no connection.
    def write(bytes)
      Thread.handle_interrupt(UNBROKEN) { @lock.synchronize { push(bytes) if @state == :up } }
    end

    # Has something done on the link's thread, whether there is a connection or not.
    #
    # @param seconds [Numeric] from now
    def after(seconds, &action)
      @lock.synchronize { @timers << [Clock.now + seconds, action] }
      wake unless Thread.current == @thread
    end

    # Ends the connection, behind what was asked, and the thread.
    def close(timeout = 1.0)
      return abandon if Process.pid != @pid

      @lock.synchronize do
        return if @state == :closed

        push(Protocol::Request.quit) if @state == :up
        @state = :closed
        @quit_until = Clock.now + timeout
        @changed.broadcast
      end
      wake
      return if Thread.current == @thread

      @thread.join(timeout + 1) || (@thread.kill && @thread.join(1))
      [@wake_reader, @wake_writer].each { |io| io.close unless io.closed? }
    end

    # @raise [ForkedError]
    def check_process
      return if Process.pid == @pid

      raise ForkedError, 'this client was opened before the process was forked: open another one in the child'
    end

    private

    def ask(deadline, keep, &request)
      promise = Promise.new
      # On the link's thread, which has not seen the end of this connection yet.
      handler = keep ? ->(answer) { kept(answer, keep) && promise.call(answer) } : promise
      opaque = post(deadline, handler, &request)
      outcome = promise.wait(deadline)
      @lock.synchronize { @conversation&.forget(opaque) } unless outcome
      outcome
    rescue ConnectionError => e
      e
    end

    def kept(answer, keep)
      restore(keep) if answer.is_a?(Protocol::Result) && answer.ok?
      true
    end

    def renamed(error, what)
      error.class.new("#{what}: #{error.message}", outcome_unknown: error.outcome_unknown?)
    end

    # Under the lock. What the socket does not take is left to the thread.
    def push(bytes)
      pieces = bytes.is_a?(Array) ? bytes : [bytes]
      @conversation.said(Clock.now)
      waited = @out.empty?
      pieces.each { |piece| @out << piece unless piece.empty? }
      return unless waited

      flush
      wake unless @out.empty? || Thread.current == @thread
    rescue SystemCallError, IOError
      # The thread finds the same when it reads or writes, and tells everyone.
      wake
    end

    def flush
      until @out.empty?
        piece = @out.first
        taken = @connection.write(piece)
        return if taken.zero?

        taken == piece.bytesize ? @out.shift : @out[0] = piece.byteslice(taken..)
      end
    end

    def wake
      @wake_writer.write_nonblock('w', exception: false)
    rescue IOError, SystemCallError
      nil # it is closed, so nobody sleeps there
    end

    def run
      Waiting.forbid
      backoff = Core::Backoff.new
      until @state == :closed
        begin
          connect
          backoff.reset
          converse
        rescue StandardError => e
          # Whatever it was, others wait for answers, and the next connection may be better.
          lost(e)
        end
        rest(backoff.next) unless @state == :closed
      end
    ensure
      finish
    end

    def connect
      deadline = Clock.now + @settings.connect_timeout
      connection = Connection.open(@address, @settings.tls, deadline)
      @connection = connection
      conversation = Core::Conversation.new(Clock.now, heartbeat: @settings.heartbeat)
      # Making things again may take until the broker has noticed that the old connection is gone.
      stop = -> { @state == :closed }
      handshake = Handshake.new(connection, conversation, Clock.now + [@settings.connect_timeout, 10].max, stop, method(:unasked))
      info = handshake.negotiate(@settings.name, @settings.login, @settings.client_id, !@info.nil?)
      restored = []
      until (missing = begin_with(conversation, info, restored)).empty?
        missing.each { |restorer| restorer.restore(handshake) }
        restored.concat(missing)
      end
      restored.each { |restorer| restorer.restored(self) }
      @listeners.each { |listener| guarded { listener.link_up(self, info) } }
    end

    # Lets others use the connection, unless there is something that is to be made again before.
    #
    # @return [Array] that
    def begin_with(conversation, info, restored)
      @lock.synchronize do
        raise ClosedError, 'closed while connecting' if @state == :closed

        missing = @restorers - restored
        if missing.empty?
          @conversation = conversation
          @out = []
          @info = info
          @refusal = @trouble = nil
          @state = :up
          @changed.broadcast
        end
        missing
      end
    end

    def converse
      loop do
        now = Clock.now
        return if @state == :closed && (now > @quit_until || @connection.nil?)

        seconds = @state == :closed ? @quit_until - now : @lock.synchronize { @conversation.wait(now) }
        ready = @connection.wait(!@out.empty?, [seconds, until_timer(now)].min.clamp(0, 60), [@wake_reader])
        @wake_reader.read_nonblock(4096, exception: false) if ready.include?(@wake_reader)
        @lock.synchronize { flush } unless @out.empty?
        read if ready.include?(@connection.socket)
        upkeep
        run_timers
      end
    end

    def until_timer(now)
      first = @lock.synchronize { @timers.map(&:first).min }
      first ? first - now : 60
    end

    def run_timers
      return if @timers.empty?

      due = @lock.synchronize do
        now = Clock.now
        due, @timers = @timers.partition { |at, _| at <= now }
        due
      end
      due.each { |_, action| guarded(&action) }
    end

    # All that is there, but not without end: others want to write, too.
    def read
      8.times do
        bytes = @connection.read or return
        answers = []
        @lock.synchronize { @conversation.feed(bytes, Clock.now) { |handler, frame| answers << handler << frame } }
        answers.each_slice(2) { |handler, frame| guarded { handler ? handler.call(frame) : unasked(frame) } }
        return if bytes.bytesize < Connection::CHUNK && !@connection.pending?
      end
    end

    def unasked(frame)
      seat = @lock.synchronize { @seats[frame.consumer] } or return
      frame.is_a?(Protocol::Delivery) ? seat.deliver(frame) : seat.detached(frame.text)
    end

    def upkeep
      now = Clock.now
      late = @lock.synchronize do
        raise ConnectionError, "#{@address} does not answer heartbeats" if @conversation.dead?(now)

        push(Protocol::Request.version(@conversation.beat(now))) if @state == :up && @conversation.heartbeat?(now)
        @conversation.expire(now)
      end
      error = TimeoutError.new("#{@address} did not answer in time", outcome_unknown: true)
      late.each { |handler| guarded { handler.call(error) } }
    end

    def lost(error)
      was_up = nil
      handlers = @lock.synchronize do
        was_up = @state == :up
        @trouble = error
        @refusal = error if error.is_a?(TlsError) || (error.is_a?(ReplyError) && !error.retriable?)
        @state = :connecting unless @state == :closed
        @changed.broadcast
        @conversation ? @conversation.close : []
      end
      @connection&.close
      @connection = nil
      loss = ConnectionError.new("the connection to #{@address} was lost: #{error.message}", outcome_unknown: true)
      handlers.each { |handler| guarded { handler.call(loss) } }
      @settings.logger&.info("metaq: #{loss.message}") if was_up
      @listeners.each { |listener| guarded { listener.link_down(self, loss) } } if was_up
    end

    def rest(seconds)
      stop = Clock.now + seconds
      while @state != :closed && (left = stop - Clock.now).positive?
        woken = IO.select([@wake_reader], nil, nil, [left, until_timer(Clock.now)].min.clamp(0, left))
        @wake_reader.read_nonblock(4096, exception: false) if woken
        run_timers
      end
    end

    def finish
      handlers = @lock.synchronize do
        @state = :closed
        @changed.broadcast
        @conversation ? @conversation.close : []
      end
      @connection&.close
      closed = ClosedError.new('the client is closed', outcome_unknown: true)
      handlers.each { |handler| guarded { handler.call(closed) } }
      @listeners.each { |listener| guarded { listener.link_down(self, closed) } }
    end

    # One that fails must not keep the others from what they wait for.
    def guarded
      yield
    rescue StandardError => e
      warn("metaq: #{@address}: #{e.full_message}")
    end

    # In a child of the process that opened it: only the child's copies are closed.
    def abandon
      @connection&.abandon
      [@wake_reader, @wake_writer].each { |io| io.close unless io.closed? }
    end
  end
end
