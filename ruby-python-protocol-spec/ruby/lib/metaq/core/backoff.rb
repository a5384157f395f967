# frozen_string_literal: true

module Metaq
  module Core
    # Pauses between attempts: each about twice as long as the one before, and never the same for all clients of a broker that died.
    class Backoff
      # @param least [Numeric] seconds
      # @param most [Numeric] seconds
      # @param random [#rand] gives 0.0 to 1.0
      def initialize(least: 0.05, most: 2.0, random: Random)
        @least = least
        @most = most
        @random = random
        reset
      end

      # @return [::Float] seconds: between half of the pause and the whole
      def next
        pause = @pause
        @pause = [@pause * 2, @most].min
        pause * (0.5 + (@random.rand * 0.5))
      end

      # Begins anew: the last attempt was a success.
      def reset
        @pause = @least
      end
    end
  end
end
