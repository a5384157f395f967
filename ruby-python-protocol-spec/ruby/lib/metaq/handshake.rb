# frozen_string_literal: true

module Metaq
  # The first words on a connection: version, login, client id, and then what the connection before had. One question at a time, since
  # each needs the one before.
  #
  # @api private
  class Handshake
    PAUSE = 0.1
    TAKEN = 409

    # @param connection [Connection]
    # @param conversation [Core::Conversation]
    # @param deadline [::Float]
    # @param stop [Proc] whether to give up
    # @param unasked [Proc] gets the frames that are no answers
    def initialize(connection, conversation, deadline, stop, unasked)
      @connection = connection
      @conversation = conversation
      @deadline = deadline
      @stop = stop
      @unasked = unasked
    end

    # @param again [Boolean] whether there was a connection before: the broker may not have seen its end
    # @return [Core::ServerInfo]
    # @raise [Error]
    def negotiate(name, login, client_id, again)
      answer = ask('version') { |opaque| Protocol::Request.version(opaque, protocol: Protocol::VERSION, client: name) }
      info = Core::ServerInfo.new(answer.text)
      ask('login') { |opaque| Protocol::Request.login(login[0], opaque, password: login[1]) } if login
      if info.login_required? && !login
        raise UnauthorizedError.new(401, 'this broker serves nobody who did not log in: give user and password', 'connect')
      end

      ask("client id #{client_id}", patient: again) { |opaque| Protocol::Request.client(client_id, opaque) } if client_id
      info
    end

    # Asks and waits for the answer.
    #
    # @param what [String] for people
    # @param patient [Boolean] whether a 409 is asked again: a broker may not have seen the end of the connection before
    # @yieldparam opaque [Integer]
    # @yieldreturn [String] the request
    # @return [Protocol::Result] with code 200
    # @raise [ReplyError, TimeoutError, ConnectionError]
    def ask(what, patient: false, &request)
      loop do
        answer = exchange(what, &request)
        return answer if answer.ok?
        raise ReplyError.of(answer.code, answer.text, what) unless patient && answer.code == TAKEN && Clock.now + PAUSE < @deadline

        pause
      end
    end

    private

    def pause
      raise ClosedError, 'closed while connecting' if @stop.call

      sleep(PAUSE)
    end

    def exchange(what)
      answer = nil
      opaque = @conversation.open(->(frame) { answer = frame }, @deadline)
      bytes = yield opaque
      until answer
        left = @deadline - Clock.now
        raise ClosedError, 'closed while connecting' if @stop.call
        raise TimeoutError, "#{what}: the broker does not answer" if left <= 0

        bytes = bytes.byteslice(@connection.write(bytes)..) unless bytes.empty?
        read(@connection.wait(!bytes.empty?, [left, 0.2].min))
      end
      answer
    rescue SystemCallError, IOError => e
      raise ConnectionError, "#{what}: #{e.message}"
    end

    def read(readable)
      return if readable.empty? || (bytes = @connection.read).nil?

      @conversation.feed(bytes, Clock.now) do |handler, frame|
        handler ? handler.call(frame) : @unasked.call(frame)
      end
    end
  end
end
