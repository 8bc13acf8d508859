import Bluetooth
import Captures
import Framing

/// What another program has noted about a device: its attributes, and what it advertises.
package struct DeviceListing: Hashable, Sendable {
  package var format: ListingFormat
  package var name: String?
  /// A field of its advertisement.
  package var manufacturerData: [ListedManufacturerData] = []
  /// The discovery and the reads that would tell the same; empty for a format without handles.
  package var discovery = CapturedConnection(central: nil, start: nil)
  /// The services of a format without handles.
  var services: [ObservedTable.Service] = []
  /// The values of the characteristics whose properties are not known, by handle.
  var withoutProperties: Set<AttributeHandle> = []

  init(_ format: ListingFormat) { self.format = format }

  package var table: ObservedTable {
    guard services.isEmpty else {
      var table = ObservedTable()
      table.services = services
      return table
    }
    return ObservedTable(connections: [discovery]).withoutProperties(of: withoutProperties)
  }

  /// Whether it lists attributes at all.
  package var hasAttributes: Bool { !services.isEmpty || !discovery.events.isEmpty }

  package var hasHandles: Bool { !discovery.events.isEmpty }
}

package struct ListedManufacturerData: Hashable, Sendable {
  package var company: UInt16
  package var bytes: [UInt8]
}

extension ObservedTable {
  /// The table without the properties of the characteristics with these value handles.
  func withoutProperties(of handles: Set<AttributeHandle>) -> ObservedTable {
    guard !handles.isEmpty else { return self }
    var table = self
    for service in table.services.indices {
      for index in table.services[service].characteristics.indices
      where table.services[service].characteristics[index].valueHandle.map(handles.contains) == true {
        table.services[service].characteristics[index].properties = nil
      }
    }
    return table
  }
}
