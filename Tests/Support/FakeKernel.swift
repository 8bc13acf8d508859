import EventLoop
import Glibc

/// A kernel that follows a transcript, at the other end of a pair of sockets.
///
///     > 05 00 00 00 01 00 01      # a command that must be sent now
///     < 01 00 00 00 03 00 05 00 00    # a message that is sent, as soon as all before has happened
///     end                         # the kernel closes the socket
@EventLoop
package final class FakeKernel {
  private enum Line: Equatable {
    case expect([UInt8])
    case send([UInt8])
    case end
  }

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  private var descriptor: FileDescriptor?
  private var lines: [Line]
  private var complaint: String?
  private let finished = Promise<Void>()

  package init(_ descriptor: FileDescriptor, _ script: String) {
    self.descriptor = descriptor
    lines = script.split(separator: "\n").compactMap { Self.line(String($0)) }
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in self?.receive()
    }
    advance()
  }

  private static func line(_ text: String) -> Line? {
    let words = text.prefix { $0 != "#" }.split(separator: " ")
    switch words.first {
    case nil: return nil
    case ">": return .expect(bytes(words.dropFirst().joined(separator: " ")))
    case "<": return .send(bytes(words.dropFirst().joined(separator: " ")))
    case "end": return .end
    default: preconditionFailure("no line of a script: \(text)")
    }
  }

  private func receive() {
    guard let descriptor else { return }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = recv(descriptor.rawValue, &buffer, buffer.count, 0)
    guard count > 0 else { return end() }
    let message = Array(buffer[..<count])
    guard lines.first == .expect(message) else { return complain(message) }
    lines.removeFirst()
    advance()
  }

  private func advance() {
    while let line = lines.first {
      switch line {
      case .expect: return
      case .send(let message): send(message)
      case .end: end()
      }
      lines.removeFirst()
    }
    finished.fulfil()
  }

  package func send(_ message: [UInt8]) {
    guard let descriptor else { return }
    _ = Glibc.send(descriptor.rawValue, message, message.count, Int32(MSG_NOSIGNAL))
  }

  private func end() {
    watch = nil
    descriptor = nil
  }

  /// Closes the socket, so that no task waits any longer.
  private func complain(_ message: [UInt8]) {
    if complaint == nil { complaint = "\(hexadecimal(message)) came instead of \(lines.first as Any)" }
    end()
    finished.fulfil()
  }

  /// Waits until the script has ended, and returns what was not as it says.
  package func outcome() async -> String? {
    let limit = EventLoop.after(.seconds(60)) { [weak self] in
      self?.complaint = "a minute later the script still waits"
      self?.finished.fulfil()
    }
    await finished.value()
    limit.cancel()
    return complaint
  }
}
