import Behavior
import Bluetooth
import DeviceModel

/// A request that needs values of the device, between the device's responses. The rare cases are boxes, so that the others are small.
enum RequestInProgress: Hashable, Sendable {
  case read(AttributeHandle)
  case readBlob(AttributeHandle)
  indirect case readMultiple(MultipleRead)
  indirect case search(Search)
  case write(WriteKind, AttributeHandle)
  /// A CCCD that the device may refuse, of the characteristic with this index.
  case configure(WriteKind, AttributeHandle, characteristic: Int, ClientConfiguration)
  /// The prepared write with this index, which the device checks before any is written.
  case check(Int)
  /// A part on which the device's rules decide.
  indirect case prepare(PreparedWrite)
  /// A request that the server answers by itself unless a fault strikes it.
  indirect case screened(AttributePDU)
}

/// A Read Multiple or Read Multiple Variable Request.
struct MultipleRead: Hashable, Sendable {
  var opcode: AttributeOpcode
  /// The handles whose values are missing.
  var handles: ArraySlice<AttributeHandle>
  var values: [[UInt8]] = []
}

/// A request for the attributes of a type in a range: Read By Type, Read By Group Type, Find By Type Value.
struct Search: Hashable, Sendable {
  var opcode: AttributeOpcode
  /// The first handle of the range, which an error names if nothing is found.
  var start: AttributeHandle
  /// The attributes whose values are unknown.
  var candidates: ArraySlice<AttributeDatabase.Attribute>
  /// The value that Find By Type Value asks for.
  var wanted: [UInt8] = []
  /// The length of the found values before they are cut to the PDU.
  var size = 0
  var found: [Found] = []

  struct Found: Hashable, Sendable {
    var handles: HandleRange
    var value: [UInt8]
  }
}
