import AttributeServer
import Bluetooth
import DeviceModel

/// What blemu's own GATT server and the kernel's advertising can do with a device.
package struct ExactLimits: TransportLimits {
  package init() {}

  package func check(_ definition: PeripheralDefinition) -> [Finding] {
    handleFindings(definition) + advertisingFindings(definition) + addressFindings(definition)
  }

  package func problem(with table: AttributeTable, of definition: PeripheralDefinition) -> String? {
    AttributeDatabase(definition, table, name: "").problems.map(\.description).min()
  }

  package func problem(with advertisement: Advertisement) -> String? {
    ExactLayout(advertisement).overflow?.description
  }

  package func packets(of advertisement: Advertisement) -> AdvertisingPackets? {
    ExactLayout(advertisement).packets
  }

  package var handles: HandleAssignment? { nil }
}

extension ExactLimits {
  /// With the initial settings, and then with others: the first case with problems is enough.
  private func handleFindings(_ definition: PeripheralDefinition) -> [Finding] {
    for other in [ValueCase(context: definition.initialContext)] + definition.attributeCases {
      guard let table = try? definition.attributes(in: other.context) else { return [] }
      let problems = AttributeDatabase(definition, table, name: "").problems
      guard problems.isEmpty else {
        return problems.map { problem in
          Finding(
            .error, other.circumstance + problem.description,
            at: problem.place.map { .handle(of: $0) } ?? .service(0),
            hint: "handles go up in the order of the file; 'blemu show --on exact' prints them")
        }
      }
    }
    return []
  }

  private func addressFindings(_ definition: PeripheralDefinition) -> [Finding] {
    guard definition.advertisement.ownAddress != nil,
      let advertisement = try? definition.advertised(in: definition.initialContext),
      !advertisement.isConnectable
    else { return [] }
    return [
      Finding(
        .note,
        "Linux gives a device that is not connectable a new random address each time it begins to advertise",
        at: .advertisement(key: "address"))
    ]
  }

  /// With the initial settings, and then with other values of the settings that the advertisement depends on: the first
  /// case that does not fit is enough.
  private func advertisingFindings(_ definition: PeripheralDefinition) -> [Finding] {
    let cases = [ValueCase(context: definition.initialContext)] + definition.advertisingCases
    for advertised in cases {
      guard let advertisement = try? definition.advertised(in: advertised.context) else { return [] }
      let layout = ExactLayout(advertisement)
      guard let overflow = layout.overflow else { continue }
      return [
        Finding(
          .error, advertised.circumstance + overflow.description,
          at: .advertisement(key: overflow.largest.content.rawValue),
          notes: PacketDrawing(overflow.fields).lines)
      ]
    }
    return []
  }
}

/// How blemu itself spreads an advertisement over the two legacy packets (Core Specification, Vol 3 Part C 11): as the
/// definition has them, or else Flags first, as devices do, and the name in the scan response.
struct ExactLayout: Hashable {
  let packets: AdvertisingPackets
  /// Why it cannot be sent; nil: it can.
  let overflow: Overflow?

  struct Overflow: Hashable, CustomStringConvertible {
    /// As in "advertising data".
    var packet: String
    var fields: [AdvertisingField]
    var largest: AdvertisingField

    init?(of packet: String, _ fields: [AdvertisingField]) {
      guard fields.size > AdvertisingData.legacyCapacity, let largest = fields.max(by: { $0.size < $1.size })
      else { return nil }
      (self.packet, self.fields, self.largest) = (packet, fields, largest)
    }

    var description: String {
      let (capacity, needed) = (AdvertisingData.legacyCapacity, fields.size)
      return "\(packet) needs \(needed) bytes, but only \(capacity) fit: \(largest.content.rawValue) "
        + "takes \(largest.size); shorten it by \(needed - capacity)"
    }
  }

  init(_ advertisement: Advertisement) {
    if let layout = advertisement.layout {
      self.init(advertisement, layout)
    } else {
      self.init(usual: advertisement)
    }
  }

  /// The name gets the room that the other fields of its packet leave.
  private init(_ advertisement: Advertisement, _ layout: PacketLayout) {
    func fields(_ contents: [AdvertisingField.Content]) -> [AdvertisingField] {
      let others = contents.filter { $0 != .localName }.flatMap(advertisement.fields)
      let room = AdvertisingData.legacyCapacity - others.size - 2
      return contents.flatMap { content in
        content == .localName
          ? advertisement.nameFields(room: room > 0 ? room : .max) : advertisement.fields(content)
      }
    }
    packets = AdvertisingPackets(
      advertisingFields: fields(layout.advertisingData), scanResponseFields: fields(layout.scanResponse))
    overflow =
      Overflow(of: "advertising data", packets.advertisingFields)
      ?? Overflow(of: "the scan response", packets.scanResponseFields)
  }

  private init(usual advertisement: Advertisement) {
    let capacity = AdvertisingData.legacyCapacity
    let fields = advertisement.dataFields
    let power = advertisement.powerFields
    let hasRoom = (fields + power).size <= capacity
    let name = advertisement.nameFields(room: capacity - 2)
    packets = AdvertisingPackets(
      advertisingFields: fields + (hasRoom ? power : []), scanResponseFields: name,
      omittedFields: hasRoom ? [] : power)
    overflow = Overflow(of: "advertising data", fields)
  }
}

extension Advertisement {
  /// Without tx-power, which comes last and only if there is room.
  fileprivate var dataFields: [AdvertisingField] {
    flagsFields + serviceFields + manufacturerFields + serviceDataFields + appearanceFields + rawFields
  }

  /// None if the device has them among its raw structures.
  private var flagsFields: [AdvertisingField] {
    rawStructures.contains { $0.type == .flags } ? [] : [.flags(isDiscoverable ? 0x06 : 0x04)]
  }

  /// The fields of a part other than the name.
  fileprivate func fields(_ content: AdvertisingField.Content) -> [AdvertisingField] {
    switch content {
    case .flags: flagsFields
    case .services: serviceFields
    case .incompleteServices: incompleteServiceFields
    case .manufacturerData: manufacturerFields
    case .serviceData: serviceDataFields
    case .appearance: appearanceFields
    case .raw: rawFields
    case .txPower: powerFields
    case .localName: []
    }
  }
}
