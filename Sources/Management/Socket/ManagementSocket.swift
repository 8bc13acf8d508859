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
  /// The commands without an answer, in the order in which they were made.
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

/// A command without an answer; it is sent once no earlier one like it is pending.
private struct PendingCommand {
  let message: ManagementMessage
  let outcome: Promise<Result<[UInt8], ManagementError>>

  var opcode: ManagementOpcode { ManagementOpcode(rawValue: message.code) }

  /// Whether the kernel's answers do not tell the two commands apart.
  func isLike(_ other: PendingCommand) -> Bool {
    message.code == other.message.code && message.controller == other.message.controller
  }
}

// MARK: Commands

extension ManagementSocket {
  /// Sends a command and waits for its answer.
  ///
  /// Commands with different opcodes or controllers are with the kernel at the same time. Those with the same ones are
  /// sent one after the other: while Set Powered is in progress, the kernel refuses a second one at once, and that
  /// would pass for the answer to the first.
  ///
  /// - Parameter controller: Nil for a command that is not about one controller.
  /// - Precondition: There are at most 65535 bytes of parameters.
  /// - Returns: The return parameters of Command Complete.
  @discardableResult
  package func perform(
    _ opcode: ManagementOpcode, on controller: UInt16?, _ parameters: [UInt8] = [],
    timeLimit: Duration = .seconds(10)
  ) async throws(ManagementError) -> [UInt8] {
    guard descriptor != nil else { throw .closed }
    let message = ManagementMessage(
      code: opcode.rawValue, controller: controller ?? ManagementMessage.noController, parameters: parameters)
    let command = PendingCommand(message: message, outcome: Promise())
    let timer = EventLoop.after(timeLimit) { [weak self] in self?.end(command, .failure(.noAnswer(opcode))) }
    defer { timer.cancel() }
    add(command)
    return try await command.outcome.value().get()
  }

  private func add(_ command: PendingCommand) {
    let mustWait = pending.contains { $0.isLike(command) }
    pending.append(command)
    if !mustWait { send(command) }
  }

  private func send(_ command: PendingCommand) {
    guard let descriptor else { return }
    let bytes = command.message.bytes
    while Glibc.send(descriptor.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 {
      guard errno == EINTR else { return end(command, .failure(.failed(errno))) }
    }
  }

  /// Ends a command, and sends the next one that is like it.
  private func end(_ command: PendingCommand, _ result: Result<[UInt8], ManagementError>) {
    let wasSent = pending.first { $0.isLike(command) }?.outcome === command.outcome
    pending.removeAll { $0.outcome === command.outcome }
    command.outcome.fulfil(result)
    if wasSent, let next = pending.first(where: { $0.isLike(command) }) { send(next) }
  }

  private func take(_ answer: ManagementAnswer, from controller: UInt16) {
    let command = pending.first { $0.opcode == answer.opcode && $0.message.controller == controller }
    guard let command else { return }
    let isSuccess = answer.status == .success
    end(
      command,
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
