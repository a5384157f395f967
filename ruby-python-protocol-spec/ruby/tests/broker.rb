# frozen_string_literal: true

require 'fileutils'
require 'open3'
require 'socket'
require 'tmpdir'

# A broker of its own, started by the command in METAQ, in a folder that goes with it.
class TestBroker
  COMMAND = ENV['METAQ'] || File.expand_path('../../../metaq', __dir__)
  # A broker that has to be built first takes its time.
  START_TIMEOUT = 300

  # What `vectors/README.md` wants, and acknowledgements that do not wait for a disk.
  CONFIGURATION = <<~INI
    [system]
    brokerId=7
    numPartitions=2
    unflushThreshold=1
    groupSessionTimeout=10000
    [topic=test]
    [topic=gc]
    [topic=made.*]
  INI

  attr_reader :port, :tls_port, :folder

  # The suite's broker.
  def self.shared
    @shared ||= new
  end

  # One that tests may kill, and that serves nobody who did not log in. Also over TLS.
  def self.guarded
    @guarded ||= GuardedBroker.new
  end

  def self.stop_all
    (@all || []).each(&:stop)
  end

  def self.started(broker)
    (@all ||= []) << broker
  end

  # @param configuration [String] lines of server.ini
  def initialize(configuration = CONFIGURATION, port: 0)
    @folder = Dir.mktmpdir('metaq-ruby-')
    @configuration = configuration
    @port = port
    File.write(File.join(@folder, 'server.ini'), configuration)
    TestBroker.started(self)
    start
  end

  def address
    "127.0.0.1:#{@port}"
  end

  # Starts it, again at the port it had before.
  def start
    @log = File.join(@folder, 'out.log')
    File.write(@log, '')
    environment = { 'METAQ_HEAP' => '192m', 'METAQ_LOG' => 'text' }
    @pid = Process.spawn(environment, COMMAND, 'start', '-f', File.join(@folder, 'server.ini'), '--port', @port.to_s,
                         '--data-path', File.join(@folder, 'data'), in: File::NULL, out: @log, err: @log, close_others: true)
    await
  end

  def kill
    finish('KILL')
  end

  def stop
    finish('TERM')
    FileUtils.rm_rf(@folder)
  end

  private

  def await
    limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + START_TIMEOUT
    until (match = /^MetaQ .* serves at \S*?:(\d+),/.match(said = File.read(@log)))
      ended = Process.wait(@pid, Process::WNOHANG)
      @pid = nil if ended
      raise "the broker did not start:\n#{said}" if ended || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit

      sleep 0.05
    end
    @port = match[1].to_i
    @tls_port = said[/by TLS at port (\d+)/, 1]&.to_i
  end

  def finish(signal)
    return unless @pid

    Process.kill(signal, @pid)
    Process.wait(@pid)
    @pid = nil
  rescue Errno::ESRCH, Errno::ECHILD
    @pid = nil
  end
end
