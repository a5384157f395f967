# frozen_string_literal: true

# A client of the MetaQ broker. {Metaq::Client} is where to begin.
module Metaq
end

require_relative 'metaq/version'
require_relative 'metaq/errors'
require_relative 'metaq/typed'
require_relative 'metaq/protocol/escape'
require_relative 'metaq/protocol/ranges'
require_relative 'metaq/protocol/storage'
require_relative 'metaq/protocol/request'
require_relative 'metaq/protocol/decoder'
require_relative 'metaq/core/backoff'
require_relative 'metaq/core/conversation'
require_relative 'metaq/core/server_info'
require_relative 'metaq/address'
require_relative 'metaq/checks'
require_relative 'metaq/promise'
require_relative 'metaq/tls'
require_relative 'metaq/message'
require_relative 'metaq/received_message'
require_relative 'metaq/core/balance'
require_relative 'metaq/client'
