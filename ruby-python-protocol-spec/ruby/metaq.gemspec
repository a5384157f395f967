# frozen_string_literal: true

require_relative 'lib/metaq/version'

Gem::Specification.new do |spec|
  spec.name = 'metaq'
  spec.version = Metaq::VERSION
  spec.summary = 'Client of the MetaQ message broker'
  spec.description = 'Sends to and receives from queues and topics of MetaQ brokers over the text protocol, with the standard library alone.'
  spec.authors = ['MetaQ']
  spec.license = 'Apache-2.0'
  spec.required_ruby_version = '>= 3.0'
  spec.files = Dir['lib/**/*.rb', 'README.md']
  spec.metadata['rubygems_mfa_required'] = 'true'
end
