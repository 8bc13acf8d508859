import Bluetooth
import HCIPackets

@testable import Host

/// A controller that knows in which states the Core Specification allows which commands (Vol 4 Part E 7.8), and what it was told.
/// It reads the bytes of the commands.
struct RuledController {
  struct Set: Equatable {
    var parameters: [UInt8] = []
    var address: [UInt8]?
    var data: [UInt8] = []
    var scanResponse: [UInt8] = []
    var hasAllData = true
    var isEnabled = false
  }

  let isExtended: Bool
  var sets: [UInt8: Set] = [:]
  var randomAddress: [UInt8]?
  var acceptList: [[UInt8]] = []
  var resolvingList: [[UInt8]] = []
  var resolvesAddresses = false
  var scanParameters: [UInt8]?
  var scan: [UInt8]?
  var request: [UInt8]?
  var links: [LinkHandle] = []
  static let mostLinks = 2
  /// What a host may never do.
  var violations: [String] = []

  init(isExtended: Bool) {
    self.isExtended = isExtended
    if !isExtended { sets[0] = Set() }
  }

  /// Whether a set may lead to a link, by its parameters.
  static func isConnectable(_ set: Set, isExtended: Bool) -> Bool {
    guard set.parameters.count > 4 else { return false }
    return isExtended ? set.parameters[1] & 1 == 1 : [0x00, 0x01, 0x04].contains(set.parameters[4])
  }

  /// Returns the status.
  mutating func take(_ command: HCICommand) -> HCIError? {
    if let broken = brokenRule(command) {
      violations.append("\(command.words): \(broken)")
      return .commandDisallowed
    }
    if let limit = limit(command) { return limit }
    apply(command)
    return nil
  }

  /// A refusal that a host cannot foresee.
  private func limit(_ command: HCICommand) -> HCIError? {
    let (opcode, bytes) = (command.opcode, command.parameters)
    switch opcode {
    case .setAdvertisingEnable, .setExtendedAdvertisingEnable:
      let set = sets[isExtended ? bytes[2] : 0] ?? Set()
      let isFull = links.count >= Self.mostLinks && Self.isConnectable(set, isExtended: isExtended)
      return bytes[0] == 1 && isFull ? .connectionLimitExceeded : nil
    case .createConnection, .createConnectionExtended:
      return links.count >= Self.mostLinks ? .connectionLimitExceeded : nil
    case .cancelConnection: return request == nil ? .commandDisallowed : nil
    default: return nil
    }
  }
}
