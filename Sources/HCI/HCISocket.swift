import Bluetooth
import EventLoop
import HCIPackets
import Privileges

/// A socket of one controller, beside the kernel: it receives the controller's events about links and advertising sets,
/// Pairing Requests and the commands of others, and sends its own commands.
///
/// The kernel delivers an event here before it handles the event itself (`hci_rx_work` of net/bluetooth/hci_core.c). So once
/// a channel has begun or ended, ``catchUp()`` finds the event that explains it. It shows each command to all sockets but its
/// sender's.
@EventLoop
package final class HCISocket {
  /// A packet with a command: its type, opcode and length, and at most 255 bytes. One with an event is a byte shorter.
  private static let longestPacket = 4 + 255
  private let socket: PacketSocket
  /// The command of ``perform(_:timeLimit:)`` without an answer.
  private var pending: (opcode: HCIOpcode, outcome: Promise<Result<[UInt8], HCICommandError>>)?
  /// The commands of others without an answer: the next answer to one of these is theirs.
  private var others: [HCICommand] = []

  /// Called with each event. A command of others (``HCIEvent/given(_:)``) arrives once it has succeeded.
  package var onEvent: (@EventLoop (HCIEvent) -> Void)?

  /// - Parameter descriptor: A socket in non-blocking mode that keeps the borders of packets.
  package init(adopting descriptor: FileDescriptor) {
    socket = PacketSocket(adopting: descriptor, longest: Self.longestPacket)
    socket.onPacket = { [weak self] in
      if let event = HCIEvent($0) { self?.receive(event) }
    }
    socket.onEnd = { [weak self] in self?.finish($0.map(HCICommandError.init(code:)) ?? .closed) }
  }

  /// Whether it still receives the controller's events.
  package var isOpen: Bool { socket.isOpen }

  /// Whether it receives ``HCIEvent/pairingRequested(_:bySecureConnections:)``; false at first. The kernel then looks at each
  /// packet of each link for it.
  package var hearsPairing = false {
    didSet {
      if let descriptor = socket.descriptor, hearsPairing != oldValue {
        _ = Self.choosePackets(of: descriptor.rawValue, withData: hearsPairing)
      }
    }
  }

  /// Closes the socket; a waiting command throws ``HCICommandError/closed``. The controller keeps its advertising sets.
  package func close() { finish(.closed) }

  private func finish(_ error: HCICommandError) {
    socket.close()
    onEvent = nil
    answer(.failure(error))
  }
}

// MARK: Commands

extension HCISocket {
  /// Sends a command; its outcome is an event. Returns false if the kernel does not take it.
  package func send(_ command: HCICommand) -> Bool { (try? transmit(command)) != nil }

  /// Sends a command and waits for its answer.
  ///
  /// - Precondition: No other command of this function waits for its answer.
  /// - Returns: The return parameters of Command Complete after the status.
  @discardableResult
  package func perform(
    _ command: HCICommand, timeLimit: Duration = .seconds(10)
  ) async throws(HCICommandError) -> [UInt8] {
    precondition(pending == nil, "one command at a time")
    let outcome = Promise<Result<[UInt8], HCICommandError>>()
    pending = (command.opcode, outcome)
    let timer = EventLoop.after(timeLimit) { [weak self] in self?.answer(.failure(.noAnswer(command.opcode)))
    }
    defer { timer.cancel() }
    do throws(HCICommandError) { try transmit(command) } catch { answer(.failure(error)) }
    return try await outcome.value().get()
  }

  /// The most bytes of advertising data that the controller can have in a set (Vol 4 Part E 7.8.57).
  package func maximumAdvertisingDataLength() async throws(HCICommandError) -> Int {
    let parameters = try await perform(.readMaximumAdvertisingDataLength)
    guard let length = HCICommand.maximumAdvertisingDataLength(in: parameters) else {
      throw .noAnswer(.readMaximumAdvertisingDataLength)
    }
    return length
  }

  private func transmit(_ command: HCICommand) throws(HCICommandError) {
    guard socket.isOpen else { throw .closed }
    // The kernel looks for CAP_NET_RAW at each command.
    if let code = Privileges.raised({ socket.send(command.packet) }) { throw HCICommandError(code: code) }
  }

  private func answer(_ result: Result<[UInt8], HCICommandError>) {
    let outcome = pending?.outcome
    pending = nil
    outcome?.fulfil(result)
  }
}

// MARK: Events

extension HCISocket {
  /// Reads what has arrived.
  package func catchUp() { socket.catchUp() }

  private func receive(_ event: HCIEvent) {
    switch event {
    case .given(let command): others.append(command)
    case .completed(let opcode, let parameters):
      let status = HCIError(rawValue: parameters.first ?? 0xFF)
      conclude(opcode, status == .success ? nil : status, Array(parameters.dropFirst()), event)
    case .begun(let opcode, let error): conclude(opcode, error, [], event)
    default: onEvent?(event)
    }
  }

  /// Takes the answer to a command of others, of ``perform(_:timeLimit:)``, or of ``send(_:)``.
  private func conclude(_ opcode: HCIOpcode, _ error: HCIError?, _ parameters: [UInt8], _ event: HCIEvent) {
    if let index = others.firstIndex(where: { $0.opcode == opcode }) {
      let command = others[index]
      others.removeSubrange(...index)  // those before it have no answer
      if error == nil { onEvent?(.given(command)) }
    } else if pending?.opcode == opcode {
      answer(error.map { .failure(.refused(opcode, $0)) } ?? .success(parameters))
    } else {
      onEvent?(event)
    }
  }
}
