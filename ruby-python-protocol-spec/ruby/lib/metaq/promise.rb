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
          left = deadline - Clock.now
          return nil if left <= 0

          @arrived.wait(@lock, left)
        end
        @outcome
      end
    end
  end
end
