import Bluetooth

/// A packet between host and controller, as a raw HCI socket has it: a byte for its kind, then the packet (Core
/// Specification, Vol 4 Part A 2 and Part E 5.4).
///
///     01  3C 20  01  EF               command: LE Remove Advertising Set, 1 byte of parameters
///     04  0E  04  01  3C 20  00       event: Command Complete, 4 bytes; 1 more command; the opcode; Success
package enum HCIPacket: Hashable, Sendable {
  case command(HCIOpcode, [UInt8])
  /// The return parameters begin with the status.
  case commandComplete(HCIOpcode, [UInt8])
  case commandStatus(HCIOpcode, HCIError)
  case disconnectionComplete
  /// An advertising set has ended, because of a connection if the status is Success (7.7.65.18).
  case advertisingSetTerminated(HCIError, handle: UInt8)
  case other
}

extension HCIPacket {
  static let longest = 4 + 255

  /// The bytes of a command.
  ///
  /// - Precondition: There are at most 255 bytes of parameters.
  static func bytes(of opcode: HCIOpcode, _ parameters: [UInt8]) -> [UInt8] {
    [0x01] + opcode.rawValue.littleEndianBytes + [UInt8(parameters.count)] + parameters
  }

  /// Reads a packet; anything that is malformed is ``other``.
  init(_ bytes: ArraySlice<UInt8>) {
    var fields = FieldReader(bytes)
    do throws(MalformedFields) {
      switch try fields.number(UInt8.self) {
      case 0x01:
        let opcode = HCIOpcode(rawValue: try fields.number())
        self = .command(opcode, Array(try fields.bytes(Int(try fields.number(UInt8.self)))))
      case 0x04: self = try Self.event(&fields)
      default: self = .other
      }
    } catch {
      self = .other
    }
  }

  private static func event(_ fields: inout FieldReader) throws(MalformedFields) -> Self {
    let code = try fields.number(UInt8.self)
    _ = try fields.number(UInt8.self)  // length
    switch code {
    case 0x05: return .disconnectionComplete
    case 0x0E:
      _ = try fields.number(UInt8.self)  // Num_HCI_Command_Packets
      return .commandComplete(HCIOpcode(rawValue: try fields.number()), Array(fields.rest))
    case 0x0F:
      let status = HCIError(rawValue: try fields.number())
      _ = try fields.number(UInt8.self)
      return .commandStatus(HCIOpcode(rawValue: try fields.number()), status)
    case 0x3E: return try metaEvent(&fields)
    default: return .other
    }
  }

  private static func metaEvent(_ fields: inout FieldReader) throws(MalformedFields) -> Self {
    guard try fields.number(UInt8.self) == 0x12 else { return .other }
    return .advertisingSetTerminated(HCIError(rawValue: try fields.number()), handle: try fields.number())
  }
}
