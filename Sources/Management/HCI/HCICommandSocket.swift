import Bluetooth
import EventLoop
import Glibc

/// A raw HCI socket of one controller, which sends commands to it beside those of the kernel, and sees these.
///
/// The kernel sends the commands of all programs one after the other. It shows each to all raw sockets but its sender's.
@EventLoop
package final class HCICommandSocket {
  /// How many packets one turn of the loop reads, so that a flood does not block other work.
  private static let packetsPerTurn = 64

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  private var descriptor: FileDescriptor?
  private var buffer = [UInt8](repeating: 0, count: HCIPacket.longest)
  /// The command without an answer.
  private var pending: (opcode: HCIOpcode, outcome: Promise<Result<[UInt8], HCICommandError>>)?
  /// The commands of others without an answer: the next answer to one of these is theirs.
  private var foreign: [HCIOpcode] = []

  /// Called with what other programs and the kernel do: a command once it has succeeded, and events.
  package var onPacket: (@EventLoop (HCIPacket) -> Void)?
  private var foreignCommands: [HCIOpcode: [UInt8]] = [:]

  /// - Parameter descriptor: A socket in non-blocking mode that keeps the borders of packets.
  package init(adopting descriptor: FileDescriptor) {
    self.descriptor = descriptor
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in
      self?.readSome()
    }
  }

  /// Closes the socket; a waiting command throws ``HCICommandError/closed``. The controller keeps its advertising sets.
  package func close() { finish(.closed) }

  private func finish(_ error: HCICommandError) {
    watch = nil
    descriptor = nil
    onPacket = nil
    answer(.failure(error))
  }

  private func answer(_ result: Result<[UInt8], HCICommandError>) {
    let outcome = pending?.outcome
    pending = nil
    outcome?.fulfil(result)
  }
}

// MARK: Commands

extension HCICommandSocket {
  /// Sends a command and waits for its answer.
  ///
  /// - Precondition: No other command of this socket waits for its answer.
  /// - Returns: The return parameters of Command Complete after the status.
  @discardableResult
  package func perform(
    _ opcode: HCIOpcode, _ parameters: [UInt8] = [], timeLimit: Duration = .seconds(10)
  ) async throws(HCICommandError) -> [UInt8] {
    precondition(pending == nil, "one command at a time")
    guard let descriptor else { throw .closed }
    let outcome = Promise<Result<[UInt8], HCICommandError>>()
    pending = (opcode, outcome)
    let timer = EventLoop.after(timeLimit) { [weak self] in self?.answer(.failure(.noAnswer(opcode))) }
    defer { timer.cancel() }
    let packet = HCIPacket.bytes(of: opcode, parameters)
    while Glibc.send(descriptor.rawValue, packet, packet.count, Int32(MSG_NOSIGNAL)) < 0 {
      guard errno == EINTR else {
        answer(.failure(HCICommandError(code: errno)))
        break
      }
    }
    return try await outcome.value().get()
  }
}

// MARK: Packets

extension HCICommandSocket {
  private func readSome() {
    for _ in 0..<Self.packetsPerTurn {
      guard readOne() else { return }
    }
  }

  /// Whether there may be more.
  private func readOne() -> Bool {
    guard let descriptor else { return false }
    let count = buffer.withUnsafeMutableBytes { recv(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
    let code = errno
    if count > 0 {
      receive(HCIPacket(buffer[..<count]))
      return true
    }
    if count < 0, code == EINTR { return true }
    if count == 0 || code != EAGAIN { finish(count == 0 ? .closed : HCICommandError(code: code)) }
    return false
  }

  private func receive(_ packet: HCIPacket) {
    switch packet {
    case .command(let opcode, let parameters):
      foreign.append(opcode)
      foreignCommands[opcode] = parameters
    case .commandComplete(let opcode, let parameters):
      complete(opcode, HCIError(rawValue: parameters.first ?? 0xFF), Array(parameters.dropFirst()))
    case .commandStatus(let opcode, let status): complete(opcode, status, [])
    case .other: break
    default: onPacket?(packet)
    }
  }

  private func complete(_ opcode: HCIOpcode, _ status: HCIError, _ parameters: [UInt8]) {
    if let index = foreign.firstIndex(of: opcode) {
      foreign.removeSubrange(...index)  // those before it have no answer
      if let command = foreignCommands[opcode], status == .success { onPacket?(.command(opcode, command)) }
    } else if pending?.opcode == opcode {
      answer(status == .success ? .success(parameters) : .failure(.refused(opcode, status)))
    }
  }
}
