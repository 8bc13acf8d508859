extension HCIError {
  /// The kebab-case name of a definition file and of the log: `supervision-timeout`; a code without a name is `0x2E`.
  package var name: String {
    guard let words else { return "0x\(rawValue.hexadecimal(digits: 2))" }
    let (space, hyphen) = (UInt8(ascii: " "), UInt8(ascii: "-"))
    return String(decoding: words.utf8.map { $0 == space ? hyphen : $0 }, as: UTF8.self)
  }

  /// The name in words: `supervision timeout`; nil: the code has none.
  package var words: String? { text?.lowercased() }

  /// Reads a ``name``.
  package init?(named name: some StringProtocol) {
    guard let code = (0...UInt8.max).first(where: { Self(rawValue: $0).name == name }) else { return nil }
    self.init(rawValue: code)
  }

  /// The names that are no codes.
  package static var allNames: [String] {
    (0...UInt8.max).map { Self(rawValue: $0) }.filter { $0.text != nil }.map { $0.name }
  }

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
    return text.map { "\($0) (0x\(code))" } ?? "HCI error 0x\(code)"
  }

  /// The specification's names, some of them shortened: 0x08 is Connection Timeout there, and 0x13 Remote User Terminated
  /// Connection. Those of BR/EDR are left out.
  private var text: String? {
    switch rawValue {
    case 0x00: "Success"
    case 0x01: "Unknown HCI Command"
    case 0x02: "Unknown Connection Identifier"
    case 0x03: "Hardware Failure"
    case 0x05: "Authentication Failure"
    case 0x06: "PIN or Key Missing"
    case 0x07: "Memory Capacity Exceeded"
    case 0x08: "Supervision Timeout"
    case 0x09: "Connection Limit Exceeded"
    case 0x0C: "Command Disallowed"
    case 0x11: "Unsupported Feature or Parameter Value"
    case 0x12: "Invalid HCI Command Parameters"
    case 0x13: "Remote User Terminated"
    case 0x14: "Remote Low Resources"
    case 0x15: "Remote Power Off"
    case 0x16: "Local Host"
    case 0x1A: "Unsupported Remote Feature"
    case 0x1E: "Invalid LL Parameters"
    case 0x1F: "Unspecified Error"
    case 0x20: "Unsupported LL Parameter Value"
    case 0x22: "LL Response Timeout"
    case 0x23: "LL Procedure Collision"
    case 0x28: "Instant Passed"
    case 0x29: "Pairing with Unit Key Not Supported"
    case 0x2A: "Different Transaction Collision"
    case 0x3A: "Controller Busy"
    case 0x3B: "Unacceptable Connection Parameters"
    case 0x3D: "MIC Failure"
    case 0x3E: "Connection Failed to be Established"
    case 0x42: "Unknown Advertising Identifier"
    case 0x43: "Limit Reached"
    case 0x45: "Packet Too Long"
    default: nil
    }
  }
}
