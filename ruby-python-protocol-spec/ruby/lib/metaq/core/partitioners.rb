# frozen_string_literal: true

require 'zlib'

module Metaq
  module Core
    # A partition of a topic on one broker. They are sorted by broker and number.
    #
    # @!attribute broker_id
    #   @return [Integer, nil]
    # @!attribute address
    #   @return [Address]
    # @!attribute number
    #   @return [Integer] -1 lets the broker choose
    Place = Struct.new(:broker_id, :address, :number, :publish, :subscribe)

    # Which partition a message goes to. A partitioner is called with the message's key (a String or nil), and the partitions that can be
    # written (an Array of {Place}, sorted, never empty), and returns one of them. It may be called by several threads at once.
    module Partitioners
      # By hash of the key; without a key in turn. The hash is CRC-32 of the key's UTF-8, so that clients in all languages agree.
      class ByKey
        def initialize
          @in_turn = InTurn.new
        end

        def call(key, places)
          key ? places[Zlib.crc32(key.b) % places.size] : @in_turn.call(nil, places)
        end
      end

      # All in turn.
      class InTurn
        def initialize
          @next = Random.rand(1 << 16)
        end

        # Two threads that get the same number do no harm.
        def call(_key, places)
          places[(@next += 1) % places.size]
        end
      end
    end
  end
end
