import BlemuControl
import EventLoop
import Glibc
import BlemuJSON

/// A program that is connected to the control side.
@EventLoop
final class ControlSession {
  /// The most bytes that may wait for the program to read.
  static let mostUnread = 4 << 20
  /// As much of the journal as may wait: with more, events wait in the journal.
  static let mostAhead = 1 << 16

  private let socket: FileDescriptor
  private let writer: EventLoop.DescriptorWriter
  private var reading: EventLoop.DescriptorWatch?
  private var lines = RequestLines()
  private let handle: (ControlRequest, ControlSession, ControlReply) -> Void
  private let onAnswer: (ControlAnswer, ControlSession) -> Void
  private let onEnd: (ControlSession) -> Void

  /// Where its next expectation begins.
  var place = ExpectationPlace()
  var watch: JournalWatch?
  /// The central that the program plays.
  var central: PlayedCentral?
  /// The number of its process; nil: the system does not tell.
  let process: Int32?

  /// - Parameters:
  ///   - handle: called with each request.
  ///   - onAnswer: called with each answer to a request of the device.
  ///   - onEnd: called once when the connection has ended.
  init(
    _ socket: FileDescriptor, handle: @escaping (ControlRequest, ControlSession, ControlReply) -> Void,
    onAnswer: @escaping (ControlAnswer, ControlSession) -> Void,
    onEnd: @escaping (ControlSession) -> Void
  ) {
    (self.socket, self.handle, self.onAnswer, self.onEnd) = (socket, handle, onAnswer, onEnd)
    process = PeerCredentials(of: socket.rawValue)?.process
    writer = EventLoop.DescriptorWriter(socket.rawValue, isNonBlocking: true)
    writer.onFailure = { [weak self] _ in self?.end() }
    reading = EventLoop.DescriptorWatch(socket.rawValue, for: .readable) { [weak self] _ in self?.readOnce() }
  }

  /// How many bytes the program has not read.
  var unread: Int { writer.count }

  /// Called when the program has read some of what waits.
  var onProgress: (() -> Void)? {
    get { writer.onProgress }
    set { writer.onProgress = newValue }
  }

  /// Closes the connection.
  func end() {
    guard reading != nil else { return }
    reading = nil
    writer.end()
    onEnd(self)
  }

  /// Writes what the program can take, and closes the connection.
  func finish() {
    writer.drain(milliseconds: 100)
    end()
  }
}

// MARK: Input

extension ControlSession {
  private func readOnce() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { read(socket.rawValue, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end() }
    take(buffer[..<count])
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    for element in lines.take(bytes) where reading != nil {
      switch element {
      case .line(let line): take(line: line)
      case .tooLong:
        let problem = "a line has at most \(RequestLines.longest) bytes; blemu ignores this one"
        ControlReply(to: .null) { [weak self] in self?.send(line: $0) }.fail(
          ControlError(.notRequest, problem))
      }
    }
  }

  private func take(line: [UInt8]) {
    switch ControlRequest.read(line) {
    case .one(let request): take(request) { [weak self] in self?.send(line: $0) }
    case .answer(let answer): onAnswer(answer, self)
    case .batch(let requests):
      let batch = ControlBatch(of: requests.count) { [weak self] in self?.send(line: $0) }
      for (index, request) in requests.enumerated() { take(request) { batch.take($0, at: index) } }
    }
  }

  private func take(
    _ request: Result<ControlRequest, ControlRequest.Refusal>, _ deliver: @escaping (String?) -> Void
  ) {
    switch request {
    case .success(let request): handle(request, self, ControlReply(to: request.id, deliver))
    case .failure(let refusal): ControlReply(to: refusal.id, deliver).fail(refusal.error)
    }
  }
}

// MARK: Output

extension ControlSession {
  /// Sends a line. A program that asks and does not read is disconnected.
  func send(line: String?) {
    if let line { send(lines: line + "\n") }
  }

  /// Sends lines, each with its end.
  func send(lines: String) {
    guard reading != nil else { return }
    writer.append(lines.utf8.span)
    writer.flush()
    if writer.count > Self.mostUnread { end() }
  }
}
