import Bluetooth
import Framing
import HCIPackets

/// The commands for a controller: one at a time, so that each result belongs to the command before it.
struct CommandQueue: Hashable {
  /// Who has given a command, and gets its result.
  enum Purpose: Hashable {
    case start, request, radio
  }

  /// Whether the controller takes a command (Core Specification, Vol 4 Part E 4.4).
  private enum State: Hashable {
    case ready
    /// It has not answered a command.
    case outstanding(HCICommand, Purpose)
    /// It has answered, and does not take another command yet (Num_HCI_Command_Packets is 0).
    case held(after: HCIOpcode)
  }

  /// How long a controller may take. A virtual one may have to wait for its processor.
  static let patience = Duration.seconds(10)

  private var state = State.ready
  /// When the controller has failed, unless it is ready then.
  private var end = Instant()
  /// What links ask for, in order.
  private var requests: ArraySlice<HCICommand> = []

  /// Whether a command may be sent now.
  var isReady: Bool { state == .ready }

  /// Whether there is nothing to send, and no answer to come.
  var isIdle: Bool { isReady && requests.isEmpty }

  /// When the controller has failed; nil: it owes nothing.
  var deadline: Instant? { isReady ? nil : end }

  /// How the controller has failed if its time is over; nil: it owes nothing.
  var failure: ControllerFailure? {
    switch state {
    case .ready: nil
    case .outstanding(let command, _): .noAnswer(command.opcode)
    case .held(let opcode): .takesNoCommand(after: opcode)
    }
  }

  mutating func request(_ command: HCICommand) { requests.append(command) }

  mutating func takeRequest() -> HCICommand? { requests.popFirst() }

  /// A link has ended: another may get its handle, and nothing that was asked for the old one.
  mutating func forget(_ handle: LinkHandle) { requests.removeAll { $0.link == handle } }

  mutating func sent(_ command: HCICommand, for purpose: Purpose, at now: Instant) {
    state = .outstanding(command, purpose)
    end = now.advanced(by: Self.patience)
  }

  /// Takes the answer to a command, or to none (opcode 0).
  ///
  /// - Parameter allowed: how many commands the controller takes.
  /// - Returns: the command; nil: this is no answer to it.
  mutating func answered(
    _ opcode: HCIOpcode, allowed: UInt8, at now: Instant
  ) -> (HCICommand, Purpose)? {
    switch state {
    case .outstanding(let command, let purpose) where command.opcode == opcode:
      state = allowed > 0 ? .ready : .held(after: opcode)
      end = now.advanced(by: Self.patience)
      return (command, purpose)
    case .held where allowed > 0: state = .ready
    case .ready, .outstanding, .held: break
    }
    return nil
  }
}

extension HCICommand {
  /// The link of a command about one: its parameters begin with the handle.
  fileprivate var link: LinkHandle? {
    var fields = ByteReader(parameters)
    return fields.handle()
  }
}
