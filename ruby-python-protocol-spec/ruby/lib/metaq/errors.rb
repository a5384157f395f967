# frozen_string_literal: true

# What can go wrong, by who must act. Wrong arguments are ::ArgumentError, as everywhere in Ruby; all else is a {Metaq::Error}.
module Metaq
  # Whatever went wrong between this client and its brokers.
  class Error < StandardError
    # @param text [String]
    # @param outcome_unknown [Boolean] whether the request may have reached the broker
    def initialize(text = nil, outcome_unknown: false)
      super(text)
      @outcome_unknown = outcome_unknown
    end

    # @return [Boolean] whether it may have been carried out all the same: the request left, its answer did not come
    def outcome_unknown?
      @outcome_unknown
    end

    # @return [Boolean] whether the same call may succeed later, or at another broker, without anybody changing it
    def retriable?
      false
    end

    # @return [Integer, nil] the code of the broker's answer, nil where there was none
    def code
      nil
    end
  end

  # The broker cannot be reached, or the connection ended before the answer.
  class ConnectionError < Error
    # (see Error#retriable?)
    def retriable?
      true
    end
  end

  # The time that was allowed is over.
  class TimeoutError < ConnectionError; end

  # The client, producer or consumer was closed.
  class ClosedError < Error; end

  # The client was opened by the process before a fork. Open another one in the child.
  class ForkedError < Error; end

  # What the broker sent is no frame. The connection is given up.
  class ProtocolError < Error; end

  # The bytes of a stored message are not those that its checksum was made of, or its properties or body are not what they say.
  class DamagedMessageError < Error; end

  # TLS could not be agreed on: the certificate is not trusted, or is another host's. Trying again does not help.
  class TlsError < Error; end

  # Some of the messages to acknowledge had been given to another consumer by then, or were done before.
  class MissedError < Error; end

  # The broker ended the consumer: its destination or subscription was deleted, or an operator wanted it.
  class DetachedError < Error; end

  # The broker answered with a code other than 200. Each code of the protocol has a class of its own.
  class ReplyError < Error
    # @return [Integer]
    attr_reader :code

    # @return [String] the broker's text
    attr_reader :text

    # @param code [Integer]
    # @param text [String]
    # @param what [String] what was asked for, for people
    def initialize(code, text, what = 'request')
      super("#{what}: #{code} #{text}")
      @code = code
      @text = text
    end

    # Makes the error of a code.
    #
    # @return [ReplyError] of the class that stands for the code; {ReplyError} itself for one that is not known
    def self.of(code, text, what = 'request')
      return XAError.new(code, text, what) if code == 500 && text.start_with?('XAException:code=')

      (CODES[code] || ReplyError).new(code, text, what)
    end
  end

  # Something that the caller has to correct.
  class CallerError < ReplyError; end

  # Something that may be over in a moment.
  class RetriableError < ReplyError
    # (see Error#retriable?)
    def retriable?
      true
    end
  end

  # 301: read from another offset, which is {#offset}.
  class MovedError < RetriableError
    # @return [Integer]
    def offset
      Integer(text.strip, 10)
    end
  end

  # 400: the request makes no sense.
  class BadRequestError < CallerError; end
  # 401: log in first; or user and password do not fit.
  class UnauthorizedError < CallerError; end
  # 403: the partition or topic is closed for this, or belongs to another connection.
  class ForbiddenError < ReplyError; end
  # 404: no such topic, partition, group, subscription, consumer or transaction.
  class NotFoundError < CallerError; end
  # 408: the broker gave up waiting for something of its own.
  class BrokerTimeoutError < RetriableError; end
  # 409: exists already, is in use, of another kind, or a number from the past.
  class ConflictError < CallerError; end
  # 413: over a limit.
  class TooLargeError < CallerError; end
  # 500: it went wrong; the text and the broker's log say why.
  class FailedError < ReplyError; end
  # 501: this broker does not do that.
  class NotSupportedError < CallerError; end
  # 503: too much under way.
  class BusyError < RetriableError; end

  # 504: another broker did not answer in time.
  class GatewayTimeoutError < RetriableError
    # (see Error#outcome_unknown?)
    def outcome_unknown?
      true
    end
  end

  # 507: the disk is full. Reading goes on.
  class StorageFullError < RetriableError; end

  # 500 about a step of a transaction: the code of an XAException.
  class XAError < FailedError
    # @return [Integer] such as -4 (no such transaction), -6 (out of turn), 100 and 106 (rolled back), 6 and 7 (decided by an operator)
    attr_reader :xa_code

    # (see ReplyError#initialize)
    def initialize(code, text, what = 'request')
      super
      @xa_code = text[/\AXAException:code=(-?\d+)/, 1].to_i
    end
  end

  class ReplyError
    CODES = {
      301 => MovedError, 400 => BadRequestError, 401 => UnauthorizedError, 403 => ForbiddenError, 404 => NotFoundError,
      408 => BrokerTimeoutError, 409 => ConflictError, 413 => TooLargeError, 500 => FailedError, 501 => NotSupportedError,
      503 => BusyError, 504 => GatewayTimeoutError, 507 => StorageFullError
    }.freeze
  end
end
