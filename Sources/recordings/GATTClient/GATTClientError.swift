import Bluetooth
import Kernel

/// Why a request to a peripheral failed.
package enum GATTClientError: Error, Hashable, Sendable {
  /// The peripheral refused the request.
  case refused(ATTError, AttributeOpcode, AttributeHandle)
  /// The peripheral did not respond, and the link has been closed.
  case noResponse(AttributeOpcode, within: Duration)
  /// The link has ended.
  case disconnected(LinkEnd)
  /// These bytes are not a response to the request.
  case unexpectedResponse([UInt8], AttributeOpcode)
  /// The peripheral's attribute table has this fault at this handle.
  case badTable(TableFault, AttributeHandle)
  /// The peripheral has queued other bytes of a long write than it was sent. The queue has been cancelled.
  case partChanged(AttributeHandle, offset: Int)
  /// The value does not fit into one such PDU on this link.
  case valueTooLong(Int, maximum: Int, AttributeOpcode)
  /// The characteristic has no CCCD, which a subscription needs.
  case cannotSubscribe(BluetoothUUID)
  case cancelled
}

extension GATTClientError {
  /// The error with which the peripheral refused the request; nil: it failed otherwise.
  package var refusal: ATTError? { if case .refused(let error, _, _) = self { error } else { nil } }
}

extension GATTClientError {
  /// What has happened, as a clause.
  package var message: String {
    switch self {
    case .refused(let error, let request, 0): "\(request) was refused: \(error)"
    case .refused(let error, let request, let handle):
      "\(request) for \(Self.name(of: handle)) was refused: \(error)"
    case .noResponse(let request, let limit): "no response to \(request) within \(limit)"
    case .disconnected(let end): "\(end)"
    case .unexpectedResponse(let bytes, let request):
      "'\(Self.hexadecimal(bytes))' is not a response to \(request)"
    case .badTable(.handleOutOfPlace, let handle):
      "the attribute table is invalid: \(Self.name(of: handle)) is out of place"
    case .badTable(.unreadableDeclaration, let handle):
      "the attribute table is invalid: the declaration at \(Self.name(of: handle)) cannot be read"
    case .partChanged(let handle, let offset):
      "\(Self.name(of: handle)): the server queued different bytes from offset \(offset) on"
    case .valueTooLong(let count, let maximum, let request):
      "\(count) bytes do not fit into a \(request), which carries \(maximum) on this link"
    case .cannotSubscribe(let uuid):
      "the characteristic \(uuid) has no Client Characteristic Configuration, so a central cannot subscribe to it"
    case .cancelled: "the request was cancelled"
    }
  }

  private static func name(of handle: AttributeHandle) -> String {
    "handle 0x" + handle.hexadecimal(digits: 4)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { $0.hexadecimal(digits: 2) }.joined(separator: " ")
  }
}

extension GATTClientError: CustomStringConvertible {
  package var description: String { message }
}
