import EventLoop
import Glibc
import Peripheral

/// Connects the wire side to a TCP socket, which serves one peer at a time.
@EventLoop
package final class TCPAttachment: DescriptorAttachment {
  let port: DescriptorStream
  private let socket: ListeningSocket
  private var accepting: EventLoop.DescriptorWatch?
  private var retry: EventLoop.Timer?
  private var peer: String?

  /// Listens at once, and accepts peers from ``start()`` on.
  package init(at place: SocketPlace) throws(WireError) {
    socket = try ListeningSocket(at: place)
    port = DescriptorStream(name: "TCP socket \(socket.name)")
    port.onEnd = { [weak self] in self?.peerDisconnected() }
    port.onFailure = { [weak self] _ in self?.peerDisconnected() }
  }

  package var label: String { "TCP \(socket.name)" }

  package func start() {
    retry = nil
    accepting = EventLoop.DescriptorWatch(socket.descriptor.rawValue, for: .readable) { [weak self] _ in
      self?.accept()
    }
  }

  package func close() {
    (accepting, retry) = (nil, nil)
    port.close()
  }
}

extension TCPAttachment {
  /// Accepts a peer, or closes its connection at once while another peer is connected. If that one has hung up and its
  /// last bytes are still unread, the new peer waits.
  private func accept() {
    if peer != nil, port.hasHungUp { return accepting = nil }
    guard let (descriptor, name) = socket.accept() else { return acceptLater(after: errno) }
    guard peer == nil else {
      host?.report(.refused(name))
      return
    }
    peer = name
    host?.report(.opened(by: name))
    port.connect(input: descriptor, output: descriptor, watchesHangUp: true)
  }

  /// Tries again later. If the process has no descriptors left, the waiting peer would otherwise wake the loop forever.
  private func acceptLater(after code: Int32) {
    guard code != EAGAIN, code != EINTR, code != ECONNABORTED else { return }
    accepting = nil
    host?.warn("wire side: cannot accept a connection: \(String(cString: strerror(code))); retrying in 1 s")
    retry = EventLoop.after(.seconds(1)) { [weak self] in self?.start() }
  }

  private func peerDisconnected() {
    port.disconnect()
    if let peer { host?.report(.closed(by: peer)) }
    peer = nil
    if accepting == nil, retry == nil { start() }
  }
}
