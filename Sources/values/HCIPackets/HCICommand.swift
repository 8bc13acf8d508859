import Bluetooth
import Framing

/// A command for a controller (Core Specification, Vol 4 Part E 5.4.1).
package struct HCICommand: Hashable, Sendable {
  package var opcode: HCIOpcode
  /// At most 255 bytes.
  package var parameters: [UInt8]

  package init(_ opcode: HCIOpcode, _ parameters: [UInt8] = []) {
    (self.opcode, self.parameters) = (opcode, parameters)
  }

  /// The packet with its type.
  ///
  ///     01  30 20  02  40 00    command, LE Read PHY, 2 bytes: handle 0x0040
  package var packet: [UInt8] {
    [0x01] + opcode.rawValue.littleEndianBytes + [UInt8(truncatingIfNeeded: parameters.count)] + parameters
  }
}

extension HCICommand {
  /// Read Local Version Information (7.4.1), which changes nothing.
  package static let readLocalVersion = Self(.readLocalVersion)

  /// LE Connection Update (7.8.18). From a peripheral it asks the central, if both controllers have the Connection
  /// Parameters Request Procedure of Bluetooth 4.1.
  package static func updateConnection(_ handle: LinkHandle, _ preferred: PreferredConnectionParameters)
    -> Self
  {
    let lengths: [UInt16] = [0, 0]  // of connection events: any
    return Self(
      .updateConnection,
      handle.littleEndianBytes + preferred.characteristicValue + lengths.flatMap(\.littleEndianBytes))
  }

  /// LE Read Maximum Advertising Data Length (7.8.57).
  package static let readMaximumAdvertisingDataLength = Self(.readMaximumAdvertisingDataLength)

  /// The most bytes of advertising data in a set, of the return parameters after the status.
  package static func maximumAdvertisingDataLength(in returnParameters: [UInt8]) -> Int? {
    var fields = ByteReader(returnParameters)
    return fields.number().map(Int.init)
  }

  /// LE Read PHY (7.8.47).
  package static func readPHY(_ handle: LinkHandle) -> Self {
    Self(.readPHY, handle.littleEndianBytes)
  }
}
