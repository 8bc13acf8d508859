import EventLoop
import Framing

/// A socket of the kernel's Bluetooth management interface, which takes commands for all controllers (bluez: doc/mgmt-api.txt).
@EventLoop
package final class ManagementSocket {
  private let socket: PacketSocket
  /// The commands without an answer, in the order in which they were made.
  private var pending: [PendingCommand] = []

  /// - Parameter descriptor: A socket in non-blocking mode that keeps the borders of messages.
  package init(adopting descriptor: FileDescriptor) {
    socket = PacketSocket(adopting: descriptor, longest: ManagementMessage.longest)
    socket.onPacket = { [weak self] in self?.receive($0) }
    socket.onEnd = { [weak self] in self?.finish($0.map(ManagementError.failed) ?? .closed) }
  }

  /// Closes the socket; waiting commands throw ``ManagementError/closed``.
  ///
  /// The settings of the controllers stay as they are.
  package func close() { finish(.closed) }

  private func finish(_ error: ManagementError) {
    socket.close()
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

  /// Whether the kernel's answers do not distinguish the two commands.
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
    guard socket.isOpen else { throw .closed }
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
    guard socket.isOpen else { return }
    if let code = socket.send(command.message.bytes) { end(command, .failure(.failed(code))) }
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

// MARK: Answers

extension ManagementSocket {
  /// Ignores events, and a message that is cut short.
  private func receive(_ bytes: ArraySlice<UInt8>) {
    guard let message = ManagementMessage(bytes), ManagementAnswer.codes.contains(message.code) else {
      return
    }
    var fields = ByteReader(message.parameters)
    guard let answer = ManagementAnswer(reading: &fields) else { return }
    take(answer, from: message.controller)
  }
}
