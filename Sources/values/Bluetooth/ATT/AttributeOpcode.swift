/// The first byte of an ATT PDU, which identifies it (Core Specification, Vol 3 Part F 3.4.8).
package struct AttributeOpcode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let errorResponse = Self(rawValue: 0x01)
  package static let exchangeMTURequest = Self(rawValue: 0x02)
  package static let exchangeMTUResponse = Self(rawValue: 0x03)
  package static let findInformationRequest = Self(rawValue: 0x04)
  package static let findInformationResponse = Self(rawValue: 0x05)
  package static let findByTypeValueRequest = Self(rawValue: 0x06)
  package static let findByTypeValueResponse = Self(rawValue: 0x07)
  package static let readByTypeRequest = Self(rawValue: 0x08)
  package static let readByTypeResponse = Self(rawValue: 0x09)
  package static let readRequest = Self(rawValue: 0x0A)
  package static let readResponse = Self(rawValue: 0x0B)
  package static let readBlobRequest = Self(rawValue: 0x0C)
  package static let readBlobResponse = Self(rawValue: 0x0D)
  package static let readMultipleRequest = Self(rawValue: 0x0E)
  package static let readMultipleResponse = Self(rawValue: 0x0F)
  package static let readByGroupTypeRequest = Self(rawValue: 0x10)
  package static let readByGroupTypeResponse = Self(rawValue: 0x11)
  package static let writeRequest = Self(rawValue: 0x12)
  package static let writeResponse = Self(rawValue: 0x13)
  package static let prepareWriteRequest = Self(rawValue: 0x16)
  package static let prepareWriteResponse = Self(rawValue: 0x17)
  package static let executeWriteRequest = Self(rawValue: 0x18)
  package static let executeWriteResponse = Self(rawValue: 0x19)
  package static let notification = Self(rawValue: 0x1B)
  package static let indication = Self(rawValue: 0x1D)
  package static let confirmation = Self(rawValue: 0x1E)
  package static let readMultipleVariableRequest = Self(rawValue: 0x20)
  package static let readMultipleVariableResponse = Self(rawValue: 0x21)
  package static let multipleNotification = Self(rawValue: 0x23)
  package static let writeCommand = Self(rawValue: 0x52)
  package static let signedWriteCommand = Self(rawValue: 0xD2)
}

extension AttributeOpcode {
  /// The kind of a PDU (Vol 3 Part F 3.3).
  package enum Kind: Sendable {
    case request, response, command, notification, indication, confirmation
  }

  /// The kind. For an unknown opcode, its bits suggest it: bit 6 is the command flag, and so far every request is
  /// even and its response is the next number.
  package var kind: Kind {
    switch self {
    case .notification, .multipleNotification: .notification
    case .indication: .indication
    case .confirmation: .confirmation
    case _ where rawValue & 0x40 != 0: .command
    default: rawValue.isMultiple(of: 2) ? .request : .response
    }
  }

  /// Whether a server sends it to a client. On a link where both sides are both, this says for whom a PDU is.
  package var isOfServer: Bool {
    switch kind {
    case .response, .notification, .indication: true
    case .request, .command, .confirmation: false
    }
  }

  /// The opcode of a request's response.
  package var response: AttributeOpcode {
    precondition(kind == .request, "only a request has a response")
    return AttributeOpcode(rawValue: rawValue + 1)
  }
}

extension AttributeOpcode: CustomStringConvertible {
  /// The specification's name with the number: `Read Request (0x0A)`.
  package var description: String {
    let number = "0x" + rawValue.hexadecimal(digits: 2)
    return Self.names[rawValue].map { "\($0) (\(number))" } ?? "ATT opcode \(number)"
  }

  /// Whether the specification defines it.
  package var hasName: Bool { Self.names[rawValue] != nil }

  private static let names: [UInt8: String] = [
    0x01: "Error Response",
    0x02: "Exchange MTU Request",
    0x03: "Exchange MTU Response",
    0x04: "Find Information Request",
    0x05: "Find Information Response",
    0x06: "Find By Type Value Request",
    0x07: "Find By Type Value Response",
    0x08: "Read By Type Request",
    0x09: "Read By Type Response",
    0x0A: "Read Request",
    0x0B: "Read Response",
    0x0C: "Read Blob Request",
    0x0D: "Read Blob Response",
    0x0E: "Read Multiple Request",
    0x0F: "Read Multiple Response",
    0x10: "Read By Group Type Request",
    0x11: "Read By Group Type Response",
    0x12: "Write Request",
    0x13: "Write Response",
    0x16: "Prepare Write Request",
    0x17: "Prepare Write Response",
    0x18: "Execute Write Request",
    0x19: "Execute Write Response",
    0x1B: "Handle Value Notification",
    0x1D: "Handle Value Indication",
    0x1E: "Handle Value Confirmation",
    0x20: "Read Multiple Variable Request",
    0x21: "Read Multiple Variable Response",
    0x23: "Multiple Handle Value Notification",
    0x52: "Write Command",
    0xD2: "Signed Write Command",
  ]
}
