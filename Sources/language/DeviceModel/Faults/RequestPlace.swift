import Bluetooth

/// What a request of a central is about, as far as faults tell requests apart.
package indirect enum RequestPlace: Hashable, Sendable {
  /// The value of a characteristic, by index.
  case value(Int)
  /// A descriptor of a characteristic.
  case descriptor(BluetoothUUID, of: Int)
  /// A write of the Client Characteristic Configuration (2902) of a characteristic.
  case subscription(of: Int)
  /// A part of a value, which waits for an Execute Write Request.
  case prepared(RequestPlace)
  /// Exchange MTU.
  case mtu
  /// The discovery of these; nil, in a fault: of all.
  case discovery(Discovery?)
  /// An attribute of the server's own, or none.
  case other

  /// What a central discovers (Core Specification, Vol 3 Part G 4.4 to 4.7).
  package enum Discovery: String, CaseIterable, Sendable {
    case services, includes, characteristics, descriptors
  }

  /// The places that every device has.
  package static let ofEveryDevice =
    [Self.mtu, .discovery(nil)] + Discovery.allCases.map { .discovery($0) }

  /// The name of a place that every device has: `mtu`, `discovery/services`; nil: it is another one.
  package var name: String? {
    switch self {
    case .mtu: "mtu"
    case .discovery(nil): "discovery"
    case .discovery(let part?): "discovery/\(part.rawValue)"
    default: nil
    }
  }
}

extension PeripheralDefinition {
  /// What a request for an attribute is about.
  package func place(of attribute: AttributeReference) -> RequestPlace {
    switch attribute {
    case .characteristic(let index): .value(index)
    case .descriptor(let number, let index):
      .descriptor(characteristics[index].descriptors[number].uuid, of: index)
    }
  }

  /// The places of requests that a fault can name in addition to characteristics.
  package var requestPlaces: [RequestPlace] {
    let descriptors = characteristics.indices.flatMap { index in
      let own = characteristics[index].descriptors.map(\.uuid)
      let hasImplied = characteristics[index].canNotify && characteristics[index].cccd != .none
      return (own + (hasImplied && !own.contains(0x2902) ? [0x2902] : [])).map {
        RequestPlace.descriptor($0, of: index)
      }
    }
    return RequestPlace.ofEveryDevice + descriptors
  }

  /// The name of a place of requests, in faults and in the log: `mtu`, `discovery/services`, `serial`, `serial/2902`; nil: it
  /// has none.
  package func name(of request: RequestPlace) -> String? {
    switch request {
    case .value(let index): characteristics[index].id
    case .descriptor(let uuid, let index): "\(characteristics[index].id)/\(uuid)"
    case .subscription(let index): name(of: RequestPlace.descriptor(0x2902, of: index))
    case .prepared(let place): name(of: place)
    case .mtu, .discovery, .other: request.name
    }
  }
}

extension Fault {
  /// Whether a request is one of those at its place. The response to a prepared write is that to its execution: a fault that
  /// answers late at a place leaves those to the parts alone.
  package func concerns(_ request: RequestPlace) -> Bool {
    switch (place, request) {
    case (nil, _): true
    case (_, .prepared(let place)): if case .answer = kind { false } else { concerns(place) }
    case (.characteristic(let index, _), .value(let other)),
      (.characteristic(let index, _), .subscription(let other)),
      (.request(.descriptor(0x2902, let index), _), .subscription(let other)):
      index == other
    case (.request(.discovery(nil), _), .discovery): true
    case (.request(let place, _), _): place == request
    default: false
    }
  }
}
