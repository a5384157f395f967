# frozen_string_literal: true

module Metaq
  # Version of this client; the protocol that it speaks at most is {Protocol::VERSION}.
  VERSION = '2.0.0'
end
