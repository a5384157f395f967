# frozen_string_literal: true

require 'metaq/protocol/request_decoder'

# A broker that does what a test says: for what a real one does only now and then.
class ScriptedBroker
  INFO = "2.0.0\r\nprotocol 2\r\nbroker_id 7\r\nmax_body 16777216\r\nmax_line 16384\r\n" \
         'features append,idempotence,get-wait,offset-time,topic,group,login,subscription,transact,transaction,routes'

  attr_reader :requests, :address

  # @yieldparam request [Metaq::Protocol::RequestDecoder::Read] one that is none of the usual
  # @yieldparam peer [Peer] to answer with
  def initialize(info: INFO, &script)
    @info = info
    @script = script
    @requests = Queue.new
    @server = TCPServer.new('127.0.0.1', 0)
    @address = "127.0.0.1:#{@server.addr[1]}"
    @peers = []
    @thread = Thread.new { accept }
  end

  # Cuts all connections.
  def cut
    @peers.each(&:close)
  end

  def stop
    @thread.kill
    @server.close unless @server.closed?
    cut
  end

  # One connection.
  class Peer
    def initialize(socket)
      @socket = socket
      @lock = Mutex.new
    end

    def result(opaque, code = 200, text = '')
      write("result #{code} #{text.bytesize} #{opaque}\r\n#{text}")
    end

    def write(bytes)
      @lock.synchronize { @socket.write(bytes) }
    rescue SystemCallError, IOError
      nil
    end

    def close
      @closed = true
      @socket.close
    rescue IOError
      nil
    end

    def closed?
      @closed
    end
  end

  private

  def accept
    loop do
      socket = @server.accept
      peer = Peer.new(socket)
      @peers << peer
      Thread.new { serve(socket, peer) }.report_on_exception = false
    end
  end

  def serve(socket, peer)
    decoder = Metaq::Protocol::RequestDecoder.new(max_body: 1 << 26)
    loop { decoder.feed(socket.readpartial(65_536)) { |request| answer(request, peer) } }
  rescue SystemCallError, IOError
    peer.close
  end

  def answer(request, peer)
    return if peer.closed?

    @requests << request
    opaque = request.arguments.grep(Integer).last
    usual = @script.call(request, peer, opaque) != :usual
    return if usual

    case request.name
    when :version then peer.result(request.arguments.first, 200, @info)
    when :topic then peer.result(opaque, 200, "broker 7 #{address} partitions 1 publish true subscribe true\r\n")
    when :detach then peer.result(opaque)
    when :quit then peer.close
    end
  end
end
