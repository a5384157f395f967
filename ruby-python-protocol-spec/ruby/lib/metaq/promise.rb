# frozen_string_literal: true

module Metaq
  # Seconds of a clock that never goes back.
  #
  # @api private
  module Clock
    module_function

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    # @return [Integer] milliseconds since 1970
    def wall_ms
      Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
    end
  end

  # A link's thread must not wait for what only itself can bring: a callback that did would wait in vain.
  #
  # @api private
  module Waiting
    module_function

    # Says that this thread is a link's.
    def forbid
      Thread.current.thread_variable_set(:metaq_link, true)
    end

    # @raise [Error] on a link's thread
    def check
      return unless Thread.current.thread_variable_get(:metaq_link)

      raise Error, 'a callback is called on a thread that others need, and must not wait: hand what waits to a thread of your own'
    end
  end

  # One outcome, waited for by any thread.
  #
  # @api private
  class Promise
    def initialize
      @lock = Mutex.new
      @arrived = ConditionVariable.new
      @done = false
    end

    # The first outcome counts.
    def call(outcome)
      @lock.synchronize do
        return if @done

        @done = true
        @outcome = outcome
        @arrived.broadcast
      end
    end

    def done?
      @done
    end

    # @param deadline [::Float] of {Clock.now}
    # @return [Object] the outcome, nil if there was none until then
    def wait(deadline)
      @lock.synchronize do
        until @done
          Waiting.check
          left = deadline - Clock.now
          return nil if left <= 0

          @arrived.wait(@lock, left)
        end
        @outcome
      end
    end
  end
end
