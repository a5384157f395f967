# frozen_string_literal: true

module Metaq
  # What arguments must be. Each raises ArgumentError that names the argument and says what would be right.
  #
  # @api private
  module Checks
    module_function

    def topic(name, what = 'topic')
      text = Protocol::Escape.utf8(name.respond_to?(:to_destination) ? name.name : name)
      unless text.length.between?(1, 255) && !text.match?(%r{[ [:cntrl:]/,*?\\]})
        raise ArgumentError, "#{what} takes a name of 1 to 255 characters without spaces, / , * ? and \\, not #{name.inspect}"
      end

      text
    end

    # Of groups, members, transactions: one token of a header line.
    def token(text, what)
      text = Protocol::Escape.utf8(text)
      raise ArgumentError, "#{what} takes a name without spaces, not #{text.inspect}" if text.empty? || text.match?(/[ [:cntrl:]]/)

      text
    end

    # Of subscriptions, users, client ids: anything but nothing.
    def text(text, what)
      text = Protocol::Escape.utf8(text)
      raise ArgumentError, "#{what} must not be empty" if text.empty?

      text
    end

    def integer(value, what, range)
      return value if value.is_a?(Integer) && range.cover?(value)

      which = range.end ? "from #{range.begin} to #{range.end}" : "of at least #{range.begin}"
      raise ArgumentError, "#{what} takes an Integer #{which}, not #{value.inspect}"
    end

    def seconds(value, what, least: 0)
      return value if value.is_a?(Numeric) && value.real? && value >= least && value < 1e12

      raise ArgumentError, "#{what} takes seconds#{", at least #{least}" if least.positive?}, not #{value.inspect}"
    end

    def one_of(value, what, allowed)
      return value if allowed.include?(value)

      raise ArgumentError, "#{what} takes #{allowed.map(&:inspect).join(', ')}, not #{value.inspect}"
    end
  end
end
