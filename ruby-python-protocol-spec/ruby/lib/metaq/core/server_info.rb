# frozen_string_literal: true

module Metaq
  module Core
    # What a broker said of itself in the negotiation.
    class ServerInfo
      # @return [String] version of its software
      attr_reader :version
      # @return [Integer] 1 or 2
      attr_reader :protocol
      # @return [Integer, nil]
      attr_reader :broker_id
      # @return [Integer] bytes of the largest body that it takes
      attr_reader :max_body
      # @return [Integer] bytes of the longest line that it takes
      attr_reader :max_line
      # @return [Array<String>]
      attr_reader :features
      # @return [String, nil]
      attr_reader :resource_manager

      # @param text [String] the answer to version
      def initialize(text)
        lines = text.split("\r\n")
        values = lines.drop(1).to_h { |line| line.split(' ', 2) }
        @version = lines.first.to_s
        @protocol = values.fetch('protocol', '1').to_i
        @broker_id = values['broker_id']&.to_i
        @max_body = values.fetch('max_body', 1_048_576).to_i
        @max_line = values.fetch('max_line', 16_384).to_i
        @features = values.fetch('features', '').split(',').freeze
        @login_required = values['login'] == 'required'
        @resource_manager = values['resource_manager']
        freeze
      end

      # @return [Boolean]
      def login_required?
        @login_required
      end

      # @param name [String]
      # @return [Boolean]
      def feature?(name)
        @features.include?(name)
      end
    end
  end
end
