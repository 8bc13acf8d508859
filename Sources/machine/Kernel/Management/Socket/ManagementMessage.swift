import Framing

/// A command or an event: three numbers of 16 bits, the least significant byte first, then the parameters (bluez:
/// doc/mgmt-api.txt, Packet Structures).
///
///     05 00  00 00  01 00  01    Set Powered, controller 0, 1 byte: on
struct ManagementMessage: Hashable {
  /// The index of a message that is not about one controller.
  static let noController: UInt16 = 0xFFFF
  static let longest = 6 + Int(UInt16.max)

  /// The command's or the event's number.
  var code: UInt16
  var controller: UInt16
  var parameters: [UInt8]
}

extension ManagementMessage {
  /// - Precondition: There are at most 65535 bytes of parameters.
  var bytes: [UInt8] {
    code.littleEndianBytes + controller.littleEndianBytes + UInt16(parameters.count).littleEndianBytes
      + parameters
  }

  /// Nil for a message that is shorter than it says.
  init?(_ bytes: some Sequence<UInt8>) {
    var fields = ByteReader(bytes)
    guard let code = fields.number(), let controller = fields.number(), let length = fields.number(),
      let parameters = fields.bytes(Int(length))
    else { return nil }
    self.init(code: code, controller: controller, parameters: parameters)
  }
}

/// The kernel's answer to a command (bluez: doc/mgmt-api.txt, Command Complete and Command Status).
struct ManagementAnswer {
  static let codes: ClosedRange<UInt16> = 0x0001...0x0002

  var opcode: ManagementOpcode
  var status: ManagementStatus
  /// Empty for Command Status.
  var returnParameters: [UInt8]

  init?(reading fields: inout ByteReader) {
    guard let opcode = fields.number(), let status = fields.byte() else { return nil }
    self.opcode = ManagementOpcode(rawValue: opcode)
    self.status = ManagementStatus(rawValue: status)
    returnParameters = Array(fields.rest)
  }
}
