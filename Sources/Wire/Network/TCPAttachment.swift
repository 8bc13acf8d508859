import EventLoop
import Glibc
import Peripheral

/// The serial side as a TCP socket: one peer at a time, and another one after it.
@EventLoop
package final class TCPAttachment: DescriptorAttachment {
  let port: DescriptorStream
  private let socket: ListeningSocket
  private var accepting: EventLoop.DescriptorWatch?
  private var retry: EventLoop.Timer?
  private var peer: String?

  /// Listens at once, and lets peers in from ``start()`` on.
  package init(at place: SocketPlace) throws(WireError) {
    socket = try ListeningSocket(at: place)
    port = DescriptorStream(name: "TCP socket \(socket.name)")
    port.onEnd = { [weak self] in self?.peerLeft() }
    port.onFailure = { [weak self] _ in self?.peerLeft() }
  }

  package var label: String { "TCP \(socket.name)" }

  package func start() {
    retry = nil
    accepting = EventLoop.DescriptorWatch(socket.descriptor.rawValue, for: .readable) { [weak self] _ in
      self?.letIn()
    }
  }

  package func close() {
    (accepting, retry) = (nil, nil)
    port.close()
  }
}

extension TCPAttachment {
  /// Whoever comes while another is there is sent away; unless that one has left, and only its bytes are there.
  private func letIn() {
    if peer != nil, port.hasHungUp { return accepting = nil }
    guard let (descriptor, name) = socket.accept() else { return refuse(errno) }
    guard peer == nil else {
      host?.report(.refused(name))
      return
    }
    peer = name
    host?.report(.opened(by: name))
    port.connect(input: descriptor, output: descriptor, watchesHangUp: true)
  }

  /// Without descriptors to spare, the one who waits would call for ever.
  private func refuse(_ code: Int32) {
    guard code != EAGAIN, code != EINTR, code != ECONNABORTED else { return }
    accepting = nil
    host?.warn("wire side: cannot let somebody in: \(String(cString: strerror(code))); trying again in 1 s")
    retry = EventLoop.after(.seconds(1)) { [weak self] in self?.start() }
  }

  private func peerLeft() {
    port.disconnect()
    if let peer { host?.report(.closed(by: peer)) }
    peer = nil
    if accepting == nil, retry == nil { start() }
  }
}
