# frozen_string_literal: true

module Metaq
  # Sends requests and waits for the answers, which come to a temporary queue of its own. To be used by one thread at a time.
  class Requestor
    # @api private
    def initialize(client, topic)
      @client = client
      @producer = client.producer(topic)
      @queue = client.temporary_queue
      @receiver = client.receiver(@queue, prefetch: 10)
    end

    # Sends a request and waits for the answer that has its correlation id: the request's own, or its message id.
    #
    # @param body [Object] see {Message#initialize}
    # @param timeout [Numeric] seconds
    # @param options [Hash] see {Message#initialize}
    # @return [ReceivedMessage]
    # @raise [TimeoutError] if there is none in time
    def request(body = nil, timeout: 30, **options)
      deadline = Clock.now + timeout
      sent = @producer.send(body, reply_to: @queue, **options)
      wanted = [options[:correlation_id], sent.message_id, options[:message_id]].compact
      while (left = deadline - Clock.now).positive?
        message = @receiver.receive(timeout: left) or break
        message.ack(wait: false)
        # An answer that comes too late is nobody's.
        return message if wanted.include?(message.correlation_id)
      end
      raise TimeoutError.new("no answer from #{sent.topic} in #{timeout} s", outcome_unknown: true)
    end

    # @return [nil]
    def close
      return if @client.forked?

      @receiver.close
      @producer.close
      @queue.delete
      nil
    rescue ConnectionError, ClosedError
      nil # they are gone with the connection
    end
  end
end
