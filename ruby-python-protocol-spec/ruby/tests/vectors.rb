# frozen_string_literal: true

# Reads the files of ../vectors: what their README says, and nothing else.
module Vectors
  DIRECTORY = File.expand_path('../../vectors', __dir__)
  Vector = Struct.new(:where, :title, :exchanges, :marks) do
    # @return [String] all bytes to the broker
    def sent
      exchanges.flat_map(&:sent).map(&:sample).join.b
    end

    def mark?(name)
      marks.include?(name)
    end
  end
  Exchange = Struct.new(:sent, :expected)

  # Bytes with placeholders.
  class Template
    SAMPLES = { 'id' => '4711', 'id8' => [4711].pack('Q>'), 'number' => '42', 'word' => 'word', 'byte' => "\x07".b, 'text' => '' }.freeze
    PATTERNS = { 'len' => '\d+', 'id' => '\d+', 'id8' => '[\x00-\x7f].{7}', 'number' => '-?\d+', 'word' => '[^ \r\n\']+', 'byte' => '.',
                 'text' => '.*' }.freeze

    attr_reader :source

    def initialize(source)
      @source = source
      @parts = source.b.scan(/\\x\h\h|\\[rnt\\{]|\{\w+(?:=\w+)?\}|./mn).map { |piece| part(piece) }
    end

    # An example of it, with every placeholder filled.
    def sample
      bytes = @parts.map { |part| part.is_a?(String) ? part : SAMPLES[part[0]] || '{len}' }.join.b
      bytes.sub('{len}') { (bytes.bytesize - bytes.index("\r\n") - 2).to_s }
    end

    # Whether the frame is of this form. What {id=a} and their like stand for is remembered.
    def match?(frame, known)
      names = []
      pattern = @parts.map { |part| part.is_a?(String) ? Regexp.escape(part) : capture(part, names) }.join
      match = Regexp.new("\\A#{pattern}\\z", Regexp::MULTILINE | Regexp::NOENCODING).match(frame.b) or return false
      found = names.each_with_index.map { |(kind, name), index| [name, value(kind, match[index + 1])] }
      body = frame.bytesize - frame.b.index("\r\n") - 2
      return false unless found.all? { |name, value| name == :len ? value == body : known.fetch(name, value) == value }

      found.each { |name, value| known[name] = value unless name == :len }
      true
    end

    private

    def part(piece)
      case piece
      when /\A\\x/n then piece[2, 2].hex.chr
      when '\\r' then "\r"
      when '\\n' then "\n"
      when '\\t' then "\t"
      when '\\\\' then '\\'
      when '\\{' then '{'
      when /\A\{/n then piece[1..-2].split('=')
      else piece
      end
    end

    def capture(part, names)
      kind, name = part
      return PATTERNS.fetch(kind) unless name || kind == 'len'

      names << [kind, kind == 'len' ? :len : name]
      "(#{PATTERNS.fetch(kind)})"
    end

    def value(kind, text)
      kind == 'id8' ? text.unpack1('Q>') : text.to_i
    end
  end

  def self.all
    Dir[File.join(DIRECTORY, '*.txt')].sort.flat_map { |file| read(file) }
  end

  def self.read(file)
    vectors = []
    joined(file).each do |line, number|
      case line
      when /\A## (.*)/ then vectors << Vector.new("#{File.basename(file)}:#{number}", Regexp.last_match(1), [], [])
      when /\A> (.*)/m then say(vectors.last, Regexp.last_match(1))
      when /\A< (.*)/m then hear(vectors.last, Regexp.last_match(1))
      when /\A! (.*)/ then vectors.last.marks << Regexp.last_match(1).strip.to_sym
      end
    end
    vectors
  end

  def self.say(vector, text)
    exchange = vector.exchanges.last
    vector.exchanges << (exchange = Exchange.new([], [])) if exchange.nil? || !exchange.expected.empty?
    exchange.sent << Template.new(text)
  end

  def self.hear(vector, text)
    vector.exchanges << Exchange.new([], []) if vector.exchanges.empty?
    vector.exchanges.last.expected << Template.new(text)
  end

  def self.joined(file)
    lines = []
    File.readlines(file, chomp: true, encoding: 'UTF-8').each_with_index do |line, index|
      if line.start_with?('+ ')
        lines.last[0] = lines.last[0] + line[2..]
      else
        lines << [line, index + 1]
      end
    end
    lines
  end
end
