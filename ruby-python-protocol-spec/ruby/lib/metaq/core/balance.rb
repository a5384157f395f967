# frozen_string_literal: true

require 'digest/md5'

module Metaq
  module Core
    # Who of a group reads which partition, for clients that agree on it themselves (PROTOCOL.md, The balancing rule). Brokers that keep
    # the membership do the same.
    module Balance
      POINTS = 40

      module_function

      # Contiguous ranges: the rule that 1.4 calls DEFAULT.
      #
      # @param members [Array<String>]
      # @param partitions [Array<String>] such as 0-10: broker, dash, number
      # @return [Hash{String => Array<String>}] each member's partitions, sorted
      def ranges(members, partitions)
        members = sorted(members)
        partitions = sorted(partitions)
        return {} if members.empty?

        each, more = partitions.size.divmod(members.size)
        at = 0
        members.each_with_index.to_h do |member, index|
          count = each + (index < more ? 1 : 0)
          at += count
          [member, partitions[at - count, count]]
        end
      end

      # A ring of members: the rule that 1.4 calls CONSIST.
      #
      # @param (see .ranges)
      # @return (see .ranges)
      def ring(members, partitions)
        members = sorted(members)
        return {} if members.empty?

        points = {}
        members.each { |member| POINTS.times { |i| hashes("#{member}-#{i}").each { |point| points[point] = member } } }
        order = points.keys.sort
        owned = members.to_h { |member| [member, []] }
        sorted(partitions).each do |partition|
          hash = hashes(partition).first
          owned[points[order.bsearch { |point| point >= hash } || order.first]] << partition
        end
        owned
      end

      # By UTF-16 units, as Java sorts.
      def sorted(texts)
        texts.uniq.sort_by { |text| text.encode(Encoding::UTF_16BE).b }
      end

      def hashes(text)
        Digest::MD5.digest(text.encode(Encoding::UTF_8)).unpack('V4')
      end
    end
  end
end
