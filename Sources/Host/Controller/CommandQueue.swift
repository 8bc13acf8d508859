import Bluetooth
import Framing
import HCIPackets

/// The commands for a controller: one at a time, so that each result belongs to the command before it.
struct CommandQueue: Hashable {
  /// Who has given a command, and gets its result.
  enum Purpose: Hashable {
    case start, request, radio
  }

  /// A command that the controller has not answered.
  private struct Outstanding: Hashable {
    var command: HCICommand
    var purpose: Purpose
    /// When the controller has failed.
    var end: Instant
  }

  /// How long a controller may take. A virtual one may have to wait for its processor.
  static let patience = Duration.seconds(10)

  private var outstanding: Outstanding?
  /// Whether the controller takes a command (Num_HCI_Command_Packets, Core Specification, Vol 4 Part E 4.4).
  private var isAllowed = true
  /// What links ask for, in order.
  private var requests: ArraySlice<HCICommand> = []

  /// Whether a command may be sent now.
  var isReady: Bool { isAllowed && outstanding == nil }

  /// Whether there is nothing to send, and no answer to come.
  var isIdle: Bool { outstanding == nil && requests.isEmpty }

  /// When the controller has failed; nil: it owes no answer.
  var deadline: Instant? { outstanding?.end }

  /// The command that the controller has not answered.
  var unanswered: HCIOpcode? { outstanding?.command.opcode }

  mutating func request(_ command: HCICommand) { requests.append(command) }

  mutating func takeRequest() -> HCICommand? { requests.popFirst() }

  mutating func sent(_ command: HCICommand, for purpose: Purpose, at now: Instant) {
    outstanding = Outstanding(command: command, purpose: purpose, end: now.advanced(by: Self.patience))
  }

  /// Takes the answer to a command, or to none (opcode 0).
  ///
  /// - Parameter allowed: how many commands the controller takes.
  /// - Returns: the command; nil: this is no answer to it.
  mutating func answered(_ opcode: HCIOpcode, allowed: UInt8) -> (HCICommand, Purpose)? {
    isAllowed = allowed > 0
    guard let outstanding, outstanding.command.opcode == opcode else { return nil }
    self.outstanding = nil
    return (outstanding.command, outstanding.purpose)
  }
}
