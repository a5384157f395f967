# frozen_string_literal: true

module Metaq
  module Protocol
    # Values of options and names: percent-encoded where they hold a space, a control character or a percent sign.
    module Escape
      SPECIAL = /[\x00-\x20\x7f%]/.freeze

      module_function

      # @param text [#to_s] text without invalid UTF-8
      # @return [String] as it stands in a header line
      # @raise [ArgumentError] if it is not UTF-8
      def encode(text)
        text = Escape.utf8(text.to_s)
        return text unless text.match?(SPECIAL)

        text.gsub(SPECIAL) { |c| format('%%%02X', c.ord) }
      end

      # @param text [String]
      # @return [String] UTF-8
      # @raise [ProtocolError] if a percent sign stands for nothing, or the bytes are not UTF-8
      def decode(text)
        return text unless text.include?('%')
        raise ProtocolError, "a percent sign that stands for nothing: #{text}" if text.match?(/%(?!\h\h)/)

        plain = text.b.gsub(/%\h\h/n) { |escape| escape[1, 2].hex.chr }.force_encoding(Encoding::UTF_8)
        raise ProtocolError, "not UTF-8: #{text}" unless plain.valid_encoding?

        plain
      end

      # @return [String] the text in UTF-8
      # @raise [ArgumentError] if it cannot be
      def utf8(text)
        raise ArgumentError, "a String is needed, not #{text.inspect}" unless text.is_a?(String)

        text = text.dup.force_encoding(Encoding::UTF_8) if text.encoding == Encoding::ASCII_8BIT
        text = text.encode(Encoding::UTF_8) unless text.encoding == Encoding::UTF_8
        raise ArgumentError, "not UTF-8: #{text.inspect}" unless text.valid_encoding?

        text
      rescue EncodingError => e
        raise ArgumentError, "not UTF-8: #{e.message}"
      end
    end
  end
end
