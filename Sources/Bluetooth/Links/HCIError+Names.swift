extension HCIError {
  /// The kebab-case name of a definition file and of the log: `supervision-timeout`; a code without a name is `0x2E`.
  package var name: String {
    words?.split(separator: " ").joined(separator: "-") ?? "0x\(rawValue.hexadecimal(digits: 2))"
  }

  /// The name in words: `supervision timeout`; nil: the code has none.
  package var words: String? { Self.texts[rawValue]?.lowercased() }

  /// Reads a ``name``.
  package init?(named name: some StringProtocol) {
    guard let code = (0...UInt8.max).first(where: { Self(rawValue: $0).name == name }) else { return nil }
    self.init(rawValue: code)
  }

  /// The names that are no codes.
  package static var allNames: [String] { texts.keys.sorted().map { Self(rawValue: $0).name } }

  /// Reads the name of a reason that a host may give for ending a link.
  package init?(reasonToDisconnect name: some StringProtocol) {
    guard let reason = Self.reasonsToDisconnect.first(where: { $0.name == name }) else { return nil }
    self = reason
  }
}

extension HCIError: CustomStringConvertible {
  /// The name with the code: `Supervision Timeout (0x08)`.
  package var description: String {
    let code = rawValue.hexadecimal(digits: 2)
    return Self.texts[rawValue].map { "\($0) (0x\(code))" } ?? "HCI error 0x\(code)"
  }

  /// The specification's names, some of them shortened: 0x08 is Connection Timeout there, and 0x13 Remote User Terminated
  /// Connection. Those of BR/EDR are left out.
  private static let texts: [UInt8: String] = [
    0x00: "Success",
    0x01: "Unknown HCI Command",
    0x02: "Unknown Connection Identifier",
    0x03: "Hardware Failure",
    0x05: "Authentication Failure",
    0x06: "PIN or Key Missing",
    0x07: "Memory Capacity Exceeded",
    0x08: "Supervision Timeout",
    0x09: "Connection Limit Exceeded",
    0x0C: "Command Disallowed",
    0x11: "Unsupported Feature or Parameter Value",
    0x12: "Invalid HCI Command Parameters",
    0x13: "Remote User Terminated",
    0x14: "Remote Low Resources",
    0x15: "Remote Power Off",
    0x16: "Local Host",
    0x1A: "Unsupported Remote Feature",
    0x1E: "Invalid LL Parameters",
    0x1F: "Unspecified Error",
    0x20: "Unsupported LL Parameter Value",
    0x22: "LL Response Timeout",
    0x23: "LL Procedure Collision",
    0x28: "Instant Passed",
    0x29: "Pairing with Unit Key Not Supported",
    0x2A: "Different Transaction Collision",
    0x3A: "Controller Busy",
    0x3B: "Unacceptable Connection Parameters",
    0x3D: "MIC Failure",
    0x3E: "Connection Failed to be Established",
    0x42: "Unknown Advertising Identifier",
    0x43: "Limit Reached",
    0x45: "Packet Too Long",
  ]
}
