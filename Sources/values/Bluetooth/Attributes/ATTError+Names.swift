extension ATTError {
  /// The kebab-case name of a definition file: `write-not-permitted`, `application-error-80`;
  /// a code without a name is `0x20`.
  package var name: String {
    if let text = Self.texts[rawValue] { return Self.kebabCase(text) }
    let code = rawValue.hexadecimal(digits: 2)
    return isApplicationError ? "application-error-\(code)" : "0x\(code)"
  }

  /// Reads a kebab-case name, or any code such as `0x80` except zero.
  package init?(named name: some StringProtocol) {
    guard let code = Self.codes[name.lowercased()] ?? Self.numeric(name), code != 0 else {
      return nil
    }
    self.init(rawValue: code)
  }

  /// All names with a fixed meaning, in the order of the codes, for suggestions.
  package static let allNames = texts.keys.sorted().map { ATTError(rawValue: $0).name }

  private static let codes = Dictionary(
    uniqueKeysWithValues: (UInt8.min...UInt8.max).map {
      (ATTError(rawValue: $0).name.lowercased(), $0)
    })

  private static func numeric(_ name: some StringProtocol) -> UInt8? {
    guard name.lowercased().hasPrefix("0x"), name.utf8.count <= 4 else { return nil }
    return name.dropFirst(2).hexadecimalNumber.map { UInt8($0) }
  }

  private static func kebabCase(_ text: String) -> String {
    text.lowercased().split(separator: " ").joined(separator: "-")
  }
}

extension ATTError: CustomStringConvertible {
  /// The specification's name with the code: `Write Not Permitted (0x03)`.
  package var description: String {
    let code = rawValue.hexadecimal(digits: 2)
    if let text = Self.texts[rawValue] { return "\(text) (0x\(code))" }
    return isApplicationError ? "Application Error (0x\(code))" : "ATT error 0x\(code)"
  }

  private static let texts: [UInt8: String] = [
    0x01: "Invalid Handle",
    0x02: "Read Not Permitted",
    0x03: "Write Not Permitted",
    0x04: "Invalid PDU",
    0x05: "Insufficient Authentication",
    0x06: "Request Not Supported",
    0x07: "Invalid Offset",
    0x08: "Insufficient Authorization",
    0x09: "Prepare Queue Full",
    0x0A: "Attribute Not Found",
    0x0B: "Attribute Not Long",
    0x0C: "Encryption Key Size Too Short",
    0x0D: "Invalid Attribute Value Length",
    0x0E: "Unlikely Error",
    0x0F: "Insufficient Encryption",
    0x10: "Unsupported Group Type",
    0x11: "Insufficient Resources",
    0x12: "Database Out Of Sync",
    0x13: "Value Not Allowed",
    0xFC: "Write Request Rejected",
    0xFD: "CCCD Improperly Configured",
    0xFE: "Procedure Already In Progress",
    0xFF: "Out Of Range",
  ]
}
