import EventLoop
import Glibc

/// A socket of the kernel's Bluetooth management interface, which takes commands for all controllers and reports events
/// (bluez: doc/mgmt-api.txt).
@EventLoop
package final class ManagementSocket {
  /// How many messages one turn of the loop reads, so that a flood does not block other work.
  private static let messagesPerTurn = 64

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  /// Open until the socket is closed.
  private var descriptor: FileDescriptor?
  private var buffer = [UInt8](repeating: 0, count: ManagementMessage.longest)
  /// The commands without an answer, in the order in which they were sent.
  private var pending: [PendingCommand] = []

  /// Called with each event; answers to commands are not events.
  package var onEvent: (@EventLoop (ManagementEvent) -> Void)?

  /// - Parameter descriptor: A socket in non-blocking mode that keeps the borders of messages.
  package init(adopting descriptor: FileDescriptor) {
    self.descriptor = descriptor
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in self?.readSome()
    }
  }

  /// Closes the socket; waiting commands throw ``ManagementError/closed``.
  ///
  /// The settings and advertising instances of the controllers stay as they are.
  package func close() { finish(.closed) }

  private func finish(_ error: ManagementError) {
    guard descriptor != nil else { return }
    watch = nil
    descriptor = nil
    onEvent = nil
    let commands = pending
    pending = []
    for command in commands { command.outcome.fulfil(.failure(error)) }
  }
}

/// A command that waits for its answer.
private struct PendingCommand {
  var opcode: ManagementOpcode
  var controller: UInt16
  let outcome: Promise<Result<[UInt8], ManagementError>>
}

// MARK: Commands

extension ManagementSocket {
  /// Sends a command and waits for its answer.
  ///
  /// Commands may wait at the same time. The kernel answers each by controller and opcode; commands with the same
  /// ones take the answers in the order in which they were sent.
  ///
  /// - Parameter controller: Nil for a command that is not about one controller.
  /// - Precondition: There are at most 65535 bytes of parameters.
  /// - Returns: The return parameters of Command Complete.
  @discardableResult
  package func perform(
    _ opcode: ManagementOpcode, on controller: UInt16?, _ parameters: [UInt8] = [],
    timeLimit: Duration = .seconds(10)
  ) async throws(ManagementError) -> [UInt8] {
    let controller = controller ?? ManagementMessage.noController
    try send(ManagementMessage(code: opcode.rawValue, controller: controller, parameters: parameters))
    let command = PendingCommand(opcode: opcode, controller: controller, outcome: Promise())
    pending.append(command)
    let timer = EventLoop.after(timeLimit) { [weak self] in self?.giveUp(command) }
    defer { timer.cancel() }
    return try await command.outcome.value().get()
  }

  private func send(_ message: ManagementMessage) throws(ManagementError) {
    guard let descriptor else { throw .closed }
    let bytes = message.bytes
    while Glibc.send(descriptor.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 {
      guard errno == EINTR else { throw .failed(errno) }
    }
  }

  private func giveUp(_ command: PendingCommand) {
    pending.removeAll { $0.outcome === command.outcome }
    command.outcome.fulfil(.failure(.noAnswer(command.opcode)))
  }

  private func take(_ answer: ManagementAnswer, from controller: UInt16) {
    let index = pending.firstIndex { $0.opcode == answer.opcode && $0.controller == controller }
    guard let index else { return }
    let isSuccess = answer.status == .success
    pending.remove(at: index).outcome.fulfil(
      isSuccess ? .success(answer.returnParameters) : .failure(.refused(answer.opcode, answer.status)))
  }
}

// MARK: Events

extension ManagementSocket {
  private func readSome() {
    for _ in 0..<Self.messagesPerTurn {
      guard readOne() else { return }
    }
  }

  /// Whether there may be more.
  private func readOne() -> Bool {
    guard let descriptor else { return false }
    let count = buffer.withUnsafeMutableBytes { recv(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
    let code = errno
    if count > 0 {
      receive(buffer[..<count])
    } else if count < 0 {
      if code == EAGAIN { return false }
      if code != EINTR { finish(.failed(code)) }
    } else if descriptor.hasHungUp {
      finish(.closed)
    }
    return true
  }

  /// Ignores a message that is cut short.
  private func receive(_ bytes: ArraySlice<UInt8>) {
    guard let message = ManagementMessage(bytes) else { return }
    guard ManagementAnswer.codes.contains(message.code) else {
      onEvent?(ManagementEvent(message))
      return
    }
    var fields = FieldReader(message.parameters)
    guard let answer = try? ManagementAnswer(reading: &fields) else { return }
    take(answer, from: message.controller)
  }
}

extension FileDescriptor {
  /// Whether the other end is closed or this one is broken.
  fileprivate var hasHungUp: Bool {
    var poll = pollfd(fd: rawValue, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) == 1
  }
}
