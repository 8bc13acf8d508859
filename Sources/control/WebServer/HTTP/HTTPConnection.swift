import EventLoop
import Glibc

/// A connection of a client, which sends one request, gets one answer, and is ended. Or it becomes a WebSocket.
@EventLoop
final class HTTPConnection {
  private enum State {
    case reading
    /// The request is known. Its answer has not been given, or not been sent completely.
    case answering
    /// The client has the answer. What it still sends is of no interest, but unread bytes would make the kernel discard the answer.
    case leaving
    case ended
  }

  private let socket: FileDescriptor
  private let writer: EventLoop.DescriptorWriter
  private var watch: EventLoop.DescriptorWatch?
  private var reader = RequestReader()
  private var state = State.reading
  private var wantsBody = true

  /// Called with the request, which needs an answer, now or later.
  var onRequest: ((RequestHead) -> Void)?
  /// Called when the client has the answer.
  var onLeave: (() -> Void)?
  /// Called once, when the connection has ended, or has become a WebSocket.
  var onEnd: (() -> Void)?

  init(_ socket: FileDescriptor) {
    self.socket = socket
    _ = fcntl(socket.rawValue, F_SETFL, O_NONBLOCK)
    writer = EventLoop.DescriptorWriter(socket.rawValue, isNonBlocking: true)
    writer.onFailure = { [weak self] _ in self?.end() }
    writer.onEmpty = { [weak self] in self?.leave() }
  }

  /// Begins to read the request.
  func read() {
    watch = EventLoop.DescriptorWatch(socket.rawValue, for: .readable) { [weak self] _ in self?.readOnce() }
  }

  private func readOnce() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
      let count = recv(socket.rawValue, buffer.baseAddress, buffer.count, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else { return end() }
      if state == .reading { take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    do throws(RequestMistake) {
      guard let head = try reader.add(bytes) else { return }
      (watch, state, wantsBody) = (nil, .answering, head.method != "HEAD")
      onRequest?(head)
    } catch {
      (watch, state) = (nil, .answering)
      answer(HTTPAnswer(error))
    }
  }

  /// Sends the answer, if the client is still there.
  func answer(_ answer: HTTPAnswer) {
    guard state == .answering else { return }
    writer.append(answer.bytes(hasBody: wantsBody).span)
    writer.flush()
    if writer.count == 0 { leave() }
  }

  private func leave() {
    guard state == .answering else { return }
    state = .leaving
    shutdown(socket.rawValue, Int32(SHUT_WR))
    read()
    onLeave?()
  }

  /// Ends the connection at once, whatever has not been sent.
  func end() {
    guard state != .ended else { return }
    (watch, state) = (nil, .ended)
    writer.end()
    let handler = onEnd
    (onRequest, onLeave, onEnd) = (nil, nil, nil)
    handler?()
  }

  /// Answers with a WebSocket. Without one, the client has gone, or has an answer that says why not.
  func becomeWebSocket(for head: RequestHead) -> WebSocket? {
    guard state == .answering else { return nil }
    guard !reader.hasMore, let handshake = HTTPAnswer(handshake: head) else {
      answer(.noWebSocket)
      return nil
    }
    // A new connection takes so few bytes at once.
    writer.append(handshake.bytes(hasBody: false).span)
    writer.flush()
    defer { end() }
    return state == .answering && writer.count == 0 ? WebSocket(socket) : nil
  }
}
