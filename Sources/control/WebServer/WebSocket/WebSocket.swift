import EventLoop
import Glibc

/// The server's end of a WebSocket (RFC 6455). It says how much the client has not read, and reads only while it shall.
@EventLoop
final class WebSocket {
  /// How long a client may take to answer a close.
  private static let patience = Duration.seconds(5)

  /// The most bytes that may wait before pings remain without an answer.
  private static let mostUnread = 1 << 16

  private enum State {
    case open
    /// This end has said why it ends.
    case closing
    /// Both ends have, or the client does not speak the protocol: what it sends is of no interest.
    case closed
    case ended
  }

  private let socket: FileDescriptor
  private let writer: EventLoop.DescriptorWriter
  private var reading: EventLoop.DescriptorWatch?
  private var frames = FrameReader()
  private var state = State.open
  /// Whether both ends have said that they end.
  private var hasAnswer = false
  private var limit: EventLoop.Timer?
  /// Itself, from when it says why it ends until the connection has ended.
  private var closing: WebSocket?

  /// Called with each text.
  var onText: ((String) -> Void)?
  /// Called once, when no further text comes or can be sent.
  var onEnd: (() -> Void)?

  /// - Parameter socket: a connection whose handshake is done.
  init(_ socket: FileDescriptor) {
    self.socket = socket
    _ = fcntl(socket.rawValue, F_SETFL, O_NONBLOCK)
    var yes: Int32 = 1
    setsockopt(socket.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    setsockopt(socket.rawValue, SOL_SOCKET, SO_KEEPALIVE, &yes, socklen_t(MemoryLayout<Int32>.size))
    writer = EventLoop.DescriptorWriter(socket.rawValue, isNonBlocking: true)
    writer.onFailure = { [weak self] _ in self?.end() }
    writer.onEmpty = { [weak self] in self?.handleEmpty() }
  }

  /// How many bytes the client has not read.
  var unread: Int { writer.count }

  /// Called when the client has read all that waited.
  var onRoom: (() -> Void)?

  /// Begins to read, or goes on after a pause.
  func read() { watch(for: .readable) }

  /// Stops reading. The end of the connection is still noticed.
  func pause() { watch(for: .peerHangUp) }

  private func watch(for interest: EventLoop.Readiness) {
    guard state != .ended else { return }
    reading = EventLoop.DescriptorWatch(socket.rawValue, for: interest) { [weak self] ready in
      guard let self else { return }
      if ready.contains(.readable) { readOnce() } else { end() }
    }
  }
}

// MARK: Output

extension WebSocket {
  /// Sends texts, each as a message.
  func send(_ texts: [[UInt8]]) {
    guard state == .open else { return }
    for text in texts { append(.text, text) }
    writer.flush()
  }

  private func append(_ kind: FrameHeader.Kind, _ payload: [UInt8]) {
    writer.append(FrameHeader.bytes(kind, count: payload.count).span)
    writer.append(payload.span)
  }

  /// Says why the WebSocket ends, and ends it once the client has answered.
  ///
  /// - Parameter reason: its first 123 bytes are sent.
  func close(_ code: CloseCode, _ reason: String) {
    var reason = reason
    while reason.utf8.count > 123 { reason.removeLast() }
    close([UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(reason.utf8))
  }

  private func close(_ payload: [UInt8]) {
    guard state == .open else { return }
    state = .closing
    append(.close, payload)
    limit = EventLoop.after(Self.patience) { [weak self] in self?.end() }
    closing = self
    writer.flush()  // if the client has gone, this is the end
    read()
    reportEnd()
  }

  private func reportEnd() {
    let handler = onEnd
    (onText, onEnd, onRoom) = (nil, nil, nil)
    handler?()
  }

  /// Ends the connection at once, whatever has not been sent.
  func end() {
    guard state != .ended else { return }
    state = .ended
    (reading, limit) = (nil, nil)
    writer.end()
    reportEnd()
    closing = nil
  }

  private func handleEmpty() {
    if state == .closed { leave() } else { onRoom?() }
  }

  /// Nothing is to be sent any more.
  private func leave() {
    // A client that has not answered may still be sending: the reason would be lost if nobody read that.
    if hasAnswer { end() } else { shutdown(socket.rawValue, Int32(SHUT_WR)) }
  }

  /// Writes as much as the client takes at once, and ends the connection.
  func finish() {
    writer.drain(milliseconds: 100)
    end()
  }
}

// MARK: Input

extension WebSocket {
  private func readOnce() {
    let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = recv(socket.rawValue, buffer.baseAddress, buffer.count, 0)
      if count > 0, state != .closed { frames.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end() }
    if state == .open || state == .closing { takeMessages() }
  }

  private func takeMessages() {
    do throws(WebSocketMistake) {
      while state == .open || state == .closing, let message = try frames.next() { take(message) }
    } catch {
      close(error.code, error.reason)
      state = .closed
      if unread == 0 { leave() }
    }
  }

  private func take(_ message: FrameReader.Message) {
    switch message {
    case .text(let text): if state == .open { onText?(text) }
    case .ping(let payload):
      guard state == .open, unread < Self.mostUnread else { return }
      append(.pong, payload)
      writer.flush()
    case .close(let payload):
      close(Array(payload.prefix(2)))
      (state, hasAnswer) = (.closed, true)
      if unread == 0 { leave() }
    }
  }
}
