import Bluetooth
import Captures
import Framing

/// The table of a recording, completed by a listing of the same device: a central that knows the attributes from an earlier
/// connection does not discover them again.
package struct TableCompletion: Hashable, Sendable {
  /// The completed table; that of the recording if the two contradict each other.
  package var table: ObservedTable
  /// What the recording and the listing say differently, a sentence each.
  package var contradictions: [String] = []
  /// Handles that the recording uses, and that the listing declares.
  package var declared: [AttributeHandle] = []

  package init(of connections: [CapturedConnection], with listing: DeviceListing) {
    table = ObservedTable(connections: connections)
    guard listing.hasHandles else {
      contradictions = [
        "\(listing.format.name) has no handles, so it does not tell which attribute a handle is"
      ]
      return
    }
    contradictions = Self.contradictions(table, listing.table)
    guard contradictions.isEmpty else { return }
    let known = table
    // Later discoveries replace earlier ones, so that what both have is the recording's.
    table = ObservedTable(
      connections: [listing.discovery.withoutReads(of: connections.handlesRead)] + connections, supposes: true
    )
    .withoutProperties(of: listing.withoutProperties.subtracting(known.valueHandles))
    declared = known.undeclared.filter { !table.undeclared.contains($0) }
  }

  private static func contradictions(_ recorded: ObservedTable, _ listed: ObservedTable) -> [String] {
    let other = Dictionary(
      listed.roles.map { ($0.handle, $0) }, uniquingKeysWith: { first, _ in first })
    return recorded.roles.compactMap { role in
      guard let listed = other[role.handle] else { return nil }
      let handle = role.handle.hexadecimal(digits: 4)
      guard listed.text == role.text else {
        return "\(handle) is \(role.text) in the recording, and \(listed.text) in the listing"
      }
      return role.details(beside: listed).map {
        "\(handle), \(role.text), has \($0) in the recording, and \($1) in the listing"
      }
    }
  }
}

/// What an attribute is.
private struct AttributeRole {
  var handle: AttributeHandle
  var text: String
  var end: AttributeHandle?
  var properties: CharacteristicProperties?

  /// What is known of both and differs.
  func details(beside other: AttributeRole) -> (String, String)? {
    if let end, let otherEnd = other.end, end != otherEnd {
      return ("the last handle \(end.hexadecimal(digits: 4))", otherEnd.hexadecimal(digits: 4))
    }
    if let properties, let others = other.properties, properties != others {
      return ("the properties \(properties)", "\(others)")
    }
    return nil
  }
}

extension ObservedTable {
  fileprivate var roles: [AttributeRole] {
    services.flatMap { service in
      let kind = service.isPrimary ? "service" : "secondary service"
      return [
        service.handle.map {
          AttributeRole(handle: $0, text: "the \(kind) \(service.uuid.uuid)", end: service.endHandle)
        }
      ]
      .compactMap(\.self) + service.characteristics.flatMap(\.roles)
    }
  }

  fileprivate var valueHandles: Set<AttributeHandle> { Set(characteristics.compactMap(\.valueHandle)) }
}

extension ObservedTable.Characteristic {
  fileprivate var roles: [AttributeRole] {
    [
      handle.map {
        AttributeRole(handle: $0, text: "the declaration of \(uuid.uuid)", properties: properties)
      },
      valueHandle.map { AttributeRole(handle: $0, text: "the value of \(uuid.uuid)") },
    ].compactMap(\.self)
      + descriptors.compactMap { descriptor in
        descriptor.handle.map { AttributeRole(handle: $0, text: "the descriptor \(descriptor.uuid)") }
      }
  }
}

extension [CapturedConnection] {
  fileprivate var handlesRead: Set<AttributeHandle> {
    let exchanges = lazy.flatMap { Conversation(connection: $0).exchanges }
    return Set(exchanges.compactMap { if case .read = $0.kind { $0.handle } else { nil } })
  }
}

extension CapturedConnection {
  /// Without the values that are also in a recording: the recorded ones count.
  fileprivate func withoutReads(of known: Set<AttributeHandle>) -> CapturedConnection {
    var result = self
    result.events = stride(from: 0, to: events.count - 1, by: 2).flatMap { index in
      if case .attribute(let bytes, _) = events[index].kind,
        case .readRequest(let handle)? = try? AttributePDU(bytes), known.contains(handle)
      {
        return [CapturedEvent]()
      }
      return [events[index], events[index + 1]]
    }
    return result
  }
}
