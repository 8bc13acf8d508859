import Bluetooth

/// Why a peripheral has not done what it was asked.
package enum GATTClientError: Error, Hashable, Sendable {
  /// It has refused the request.
  case refused(ATTError, AttributeOpcode, AttributeHandle)
  /// It has not answered; the link has been closed.
  case noResponse(AttributeOpcode, within: Duration)
  /// The link has ended, perhaps before the answer came.
  case disconnected(LinkEnd)
  /// What it has answered, byte by byte, is no answer to the request.
  case unexpectedResponse([UInt8], AttributeOpcode)
  /// Its attribute table has this fault at this handle.
  case badTable(TableFault, AttributeHandle)
  /// It has queued other bytes than it was given for a long write; the queue has been cancelled.
  case partChanged(AttributeHandle, offset: Int)
  /// The value has more bytes than one such PDU can carry on this link.
  case valueTooLong(Int, maximum: Int, AttributeOpcode)
  /// The characteristic has no CCCD, with which one subscribes.
  case cannotSubscribe(BluetoothUUID)
  case cancelled
}

extension GATTClientError {
  static func misplaced(_ response: AttributePDU, _ request: AttributeOpcode) -> Self {
    .unexpectedResponse(response.encode(), request)
  }
}

/// What can be wrong with a table of attributes.
package enum TableFault: Hashable, Sendable {
  /// Handles that do not go up, or lie outside what was asked for.
  case handleOutOfPlace
  /// A characteristic declaration, or a service's, that cannot be read.
  case unreadableDeclaration
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
      "'\(Self.hexadecimal(bytes))' is no response to \(request)"
    case .badTable(.handleOutOfPlace, let handle):
      "the attribute table is wrong: \(Self.name(of: handle)) is out of place"
    case .badTable(.unreadableDeclaration, let handle):
      "the attribute table is wrong: the declaration at \(Self.name(of: handle)) cannot be read"
    case .partChanged(let handle, let offset):
      "\(Self.name(of: handle)): the bytes queued from \(offset) on are not those that were sent"
    case .valueTooLong(let count, let maximum, let request):
      "\(count) bytes do not fit a \(request), which carries \(maximum) on this link"
    case .cannotSubscribe(let uuid):
      "the characteristic \(uuid) has no Client Characteristic Configuration, so nobody can subscribe to it"
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
