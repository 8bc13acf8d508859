import DeviceModel

/// The names of a device's parts in the log.
///
/// It is an object: to pass on the definition itself would copy it, with a count for each of its lists, for each value.
package final class TrafficNames: Sendable {
  package let definition: PeripheralDefinition
  private let characteristics: [String]
  private let descriptors: [[String]]

  package init(_ definition: PeripheralDefinition) {
    self.definition = definition
    characteristics = definition.characteristics.map(\.id)
    descriptors = definition.characteristics.indices.map { index in
      definition.characteristics[index].descriptors.indices.map {
        definition.name(of: .descriptor($0, of: index))
      }
    }
  }

  package func name(of characteristic: Int) -> String { characteristics[characteristic] }

  package func name(of attribute: AttributeReference) -> String {
    switch attribute {
    case .characteristic(let index): characteristics[index]
    case .descriptor(let number, let index): descriptors[index][number]
    }
  }

  package func name(of endpoint: Endpoint) -> String {
    switch endpoint {
    case .characteristic(let index): characteristics[index]
    case .channel(let index): definition.channels[index].id
    case .sought(let index): definition.sought[index].id
    case .layer(let index): definition.layers[index].name
    case .wire: "wire"
    }
  }
}
